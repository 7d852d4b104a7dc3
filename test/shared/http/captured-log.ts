import { vi } from 'vitest';

/** What the work writes to standard output. */
export async function capturedLog(work: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await work();
    return write.mock.calls.map(([text]) => text).join('');
  } finally {
    write.mockRestore();
  }
}
