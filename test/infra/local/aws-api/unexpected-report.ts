/**
 * Takes the messages of an AWS endpoint in a test that expects none. What it throws is handled by nobody, so the whole
 * run fails, even if the test does not notice that its request got no answer.
 */
export function unexpectedReport(line: string): never {
  throw new Error(`The AWS endpoint reported: ${line}`);
}

/** The same for a whole runtime, which also reports what its functions log: a test may make those fail on purpose. */
export function unexpectedEndpointReport(line: string): void {
  if (line.startsWith('AWS endpoint, ')) unexpectedReport(line);
}
