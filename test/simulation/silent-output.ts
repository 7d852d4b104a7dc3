import { afterEach, beforeEach, vi } from 'vitest';

// The service logs to stdout, which would hide the report of the tests.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});
