import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Sha256 } from '../../../../shared/aws/lean/sha256.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const text = (value: string) => new TextEncoder().encode(value);

describe('Sha256', () => {
  test('hashes nothing, one piece and several', async () => {
    const ofNothing = new Sha256();
    expect(hex(await ofNothing.digest())).toBe(createHash('sha256').digest('hex'));
    const ofPieces = new Sha256();
    ofPieces.update(text('Re'));
    ofPieces.update(text('x'));
    expect(hex(await ofPieces.digest())).toBe(createHash('sha256').update('Rex').digest('hex'));
  });

  test.each([
    ['text', 'secret'],
    ['bytes', text('secret')],
    ['a part of a larger buffer', text('a secret').subarray(2)],
    ['a whole buffer', text('secret').buffer],
  ])('makes the HMAC with a secret given as %s', async (_form, secret) => {
    const hmac = new Sha256(secret);
    hmac.update(text('Rex'));
    expect(hex(await hmac.digest())).toBe(createHmac('sha256', 'secret').update('Rex').digest('hex'));
  });

  test('starts anew after a reset', async () => {
    const sha256 = new Sha256();
    sha256.update(text('Fido'));
    sha256.reset();
    sha256.update(text('Rex'));
    expect(hex(await sha256.digest())).toBe(createHash('sha256').update('Rex').digest('hex'));
  });
});
