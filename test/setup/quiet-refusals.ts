/**
 * The functions log every request that they refuse, and tests send hundreds of those. Such lines do not reach the output
 * of the tests; a test that asks what is logged replaces the method itself. Test files share processes.
 */
const REFUSAL = /^\{"time":"[^"]*","level":"INFO",/;
const QUIET = Symbol.for('petstore-quiet-refusals');

const stdout = process.stdout as typeof process.stdout & { [QUIET]?: true };
if (!stdout[QUIET]) {
  const write = stdout.write.bind(stdout);
  const quietWrite = (text: string | Uint8Array, ...more: never[]) =>
    REFUSAL.test(String(text)) || write(text, ...more);
  Object.assign(stdout, { write: quietWrite, [QUIET]: true });
}
