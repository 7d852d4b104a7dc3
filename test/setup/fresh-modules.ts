import { vi } from 'vitest';

/**
 * Undoes what the file before has replaced in this process: variables, globals and clocks. The project's own modules
 * are evaluated anew, since they may have read what was replaced; packages stay loaded, the AWS SDK above all.
 * Vitest itself restores mocks after every file.
 */
vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.resetModules();
