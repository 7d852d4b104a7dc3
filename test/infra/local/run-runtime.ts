/**
 * Runs a runtime in a process of its own: `node run-runtime.ts <assembly> <data folder>`. Tells its parent the AWS
 * endpoint and what the runtime reports; stops at SIGTERM, and ends when nothing is left to do.
 */
import { startRuntime } from '../../../infra/local/runtime.ts';

const [, , assembly = '', dataFolder = ''] = process.argv;

const report = (line: string) => process.send?.({ line });
const runtime = await startRuntime({ assembly, port: 0, dataFolder, report });
process.once('SIGTERM', () => {
  process.disconnect();
  runtime.stop();
});
process.send?.({ awsEndpoint: runtime.awsEndpoint });
