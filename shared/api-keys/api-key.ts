import { createHash, createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is `<prefix><secret><checksum>`, such as pet_live_ + 28 + 6 characters, all base 62. 28 characters are
 * 166 random bits. The checksum is the CRC32 of everything before it, so a mistyped key is refused without a read of
 * the table. Only the SHA-256 of a key is stored, and the key's id is the beginning of that hash, so the item is found
 * by the key as well as by its id.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 28;
const CHECKSUM_LENGTH = 6;
const KEY_BODY = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const ID_HASH_DIGITS = 24;

/** Draws a new key. */
export function generateKey(prefix: string): string {
  return keyWith(prefix, () => randomInt(DIGITS.length));
}

/** The key that follows from a secret: whoever has the secret has the key, which is stored nowhere. */
export function derivedKey(prefix: string, secret: string, purpose: string): string {
  const bytes = createHmac('sha256', secret).update(purpose).digest();
  return keyWith(prefix, place => bytes.readUInt8(place) % DIGITS.length);
}

function keyWith(prefix: string, digitAt: (place: number) => number): string {
  const secret = Array.from({ length: SECRET_LENGTH }, (_, place) => DIGITS[digitAt(place)]).join('');
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

/** Whether a text has the form of a key: the prefix of this environment, the right length, a correct checksum. */
export function isWellFormedKey(prefix: string, key: string): boolean {
  if (!key.startsWith(prefix) || !KEY_BODY.test(key.slice(prefix.length))) return false;
  return key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** The SHA-256 of a key, in hexadecimal. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function keyIdOf(hash: string): string {
  return `key_${hash.slice(0, ID_HASH_DIGITS)}`;
}

/**
 * The value of API Gateway's key for one of ours, which the authorizer returns. It gives no access. API Gateway takes 20 to
 * 128 letters and digits: the id of our key without its underscore.
 */
export function usageIdentifierOf(keyId: string): string {
  return keyId.replace('_', '');
}

/** The part of a key that is shown to operators: enough to recognize it, too little to use it. */
export function hintOf(prefix: string, key: string): string {
  return `${prefix}…${key.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS[rest % DIGITS.length] + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
