/**
 * Runs a runtime in a process of its own: `node run-runtime.ts <assembly> <data folder>`. Tells its parent the AWS
 * endpoint and what the runtime reports; stops at SIGTERM, and ends when nothing is left to do.
 */
import { startLocalAws } from '../../../infra/local/local-aws.ts';

const [, , assembly = '', dataFolder = ''] = process.argv;

const report = (line: string) => process.send?.({ line });
const runtime = await startLocalAws({ assembly, port: 0, dataFolder, report });
process.once('SIGTERM', () => {
  process.disconnect();
  runtime.stop();
});
process.send?.({ awsEndpoint: runtime.awsEndpoint });
