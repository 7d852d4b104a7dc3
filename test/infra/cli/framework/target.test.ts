import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { explainAwsError } from '../../../../infra/cli/framework/aws-error.ts';
import { targetOf } from '../../../../infra/cli/framework/target.ts';
import { petstoreProgram } from '../../../../infra/petstore.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';

const OPTIONS = { color: false } as const;

function runningService(...stages: string[]): void {
  const file = join(temporaryFolder(), 'running.json');
  const baseUrls = Object.fromEntries(stages.map(stage => [stage, `http://127.0.0.1:3000/${stage}/v1`]));
  writeFileSync(file, JSON.stringify({ awsEndpoint: 'http://127.0.0.1:1', baseUrls, pid: process.pid }));
  vi.stubEnv('PETSTORE_RUNNING_FILE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('a personal environment', () => {
  test('is a stage that can be named', () => {
    const program = petstoreProgram();
    program.parseOptions(['--stage', 'sandbox']);
    expect(program.opts().stage).toBe('sandbox');
  });

  test('has its own stack and operator function', () => {
    expect(targetOf({ ...OPTIONS, stage: 'sandbox' })).toMatchObject({
      stage: 'sandbox',
      functionName: 'petstore-sandbox-operator',
      stackName: 'Petstore-Sandbox',
    });
  });

  test('that is not deployed is explained by the command that deploys it', () => {
    const target = targetOf({ ...OPTIONS, stage: 'sandbox', region: 'us-east-1' });
    const error = Object.assign(new Error('not found'), { name: 'ResourceNotFoundException' });
    const { advice } = explainAwsError(error, { ...target, region: 'us-east-1', isChange: false });
    expect(advice[0]).toContain('Deploy it with: npx cdk deploy Petstore-Sandbox -c environment=sandbox');
  });

  test('is not on this machine, unless it is', () => {
    runningService('production', 'staging');
    expect(() => targetOf({ ...OPTIONS, stage: 'sandbox', local: true })).toThrow(
      'The service on this machine has production and staging, not sandbox.',
    );
    runningService('sandbox');
    expect(targetOf({ ...OPTIONS, stage: 'sandbox', local: true }).baseUrl).toContain('/sandbox/');
  });
});
