import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './setup/closing-line.ts';

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/synthesized-stacks.ts', 'test/setup/dynamodb-engine.ts'],
    setupFiles: ['test/setup/function-environment.ts'],
    // A whole service starts within a test's hooks: DynamoDB Local, worker threads, two stacks.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
  },
});
