import { onTestFinished, vi } from 'vitest';

/** Records what functions log from now on to the end of the test; returns the lines so far. */
export function loggedLines(): () => Record<string, unknown>[] {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
  });
  return () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
}
