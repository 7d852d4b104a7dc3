import { startLocalAws } from '../local-aws.ts';

/**
 * Runs the local AWS in a process of its own: `node run-local-aws.ts <assembly> <data folder>`. Sends its parent the AWS
 * endpoint and what is reported; stops at SIGTERM, and ends when nothing is left to do.
 */

const [, , assembly = '', dataFolder = ''] = process.argv;

const report = (line: string) => process.send?.({ line });
const localAws = await startLocalAws({ assembly, port: 0, dataFolder, report });
process.once('SIGTERM', () => {
  process.disconnect();
  localAws.stop();
});
process.send?.({ awsEndpoint: localAws.awsEndpoint });
