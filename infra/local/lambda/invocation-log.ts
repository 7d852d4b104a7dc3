/** Lambda returns the last 4 KB of an invocation's log. */
const TAIL_BYTES = 4096;

/** Collects the log of one invocation for X-Amz-Log-Result. */
export function invocationLog(requestId: string): { onLine(line: string): void; tail(): string } {
  const startedMs = performance.now();
  const lines = [`START RequestId: ${requestId} Version: $LATEST`];
  return {
    onLine: line => lines.push(line),
    tail: () => {
      const durationMs = (performance.now() - startedMs).toFixed(2);
      lines.push(
        `END RequestId: ${requestId}`,
        `REPORT RequestId: ${requestId}\tDuration: ${durationMs} ms`,
        '',
      );
      return Buffer.from(lines.join('\n')).subarray(-TAIL_BYTES).toString('base64');
    },
  };
}
