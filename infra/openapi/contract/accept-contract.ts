import { acceptContract, contractFaults, currentContract } from './released-contract.ts';

/**
 * npm run contract: accepts the contract of the sources as the released one, unless clients would lose something. With
 * --check it changes nothing, and also fails if the released contract lacks a part.
 */
const today = new Date().toISOString().slice(0, 10);
const judge = process.argv.includes('--check') ? contractFaults : acceptContract;
const complaints = judge(currentContract(), today);
if (complaints.length > 0) {
  process.stderr.write(`${complaints.join('\n  ')}\n`);
  process.exitCode = 1;
}
