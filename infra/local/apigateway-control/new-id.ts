import { randomBytes } from 'node:crypto';

/** Ten small letters and digits, as API Gateway's own. */
export function newId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10);
}
