/**
 * Runs a runtime in a process of its own, for tests that kill it: `node run-runtime.ts <assembly> <data folder>`.
 * Tells its parent the AWS endpoint, or why it cannot start; stops at SIGTERM, and ends when nothing is left to do.
 */
import { startRuntime } from '../../../infra/local/runtime.ts';

const [, , assembly = '', dataFolder = ''] = process.argv;

try {
  const runtime = await startRuntime({ assembly, port: 0, dataFolder, report: () => {} });
  process.once('SIGTERM', runtime.stop);
  process.send?.({ awsEndpoint: runtime.awsEndpoint });
} catch (error) {
  process.send?.({ refusal: String(error) });
}
process.disconnect();
