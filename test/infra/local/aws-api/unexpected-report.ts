/**
 * Takes the messages of an AWS endpoint in a test that expects none. What it throws is handled by nobody, so the whole
 * run fails, even if the test does not notice that its request got no answer.
 */
export function unexpectedReport(line: string): never {
  throw new Error(`The AWS endpoint reported: ${line}`);
}
