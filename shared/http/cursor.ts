import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/**
 * A cursor is `<position>.<signature>`: the id of the last element of a page in base 36, and an HMAC over the list, its
 * filter and that position. A cursor is valid only for the list and filter that it was created for. Signatures are compared
 * as text, so a different base64url spelling of the same bytes is rejected, too.
 */
interface Cursors {
  /** The cursor that continues after this id. */
  after(id: bigint, filter?: string): string;
  /** The id to continue after, or undefined when the cursor is not one of this list and filter. */
  open(cursor: string, filter?: string): bigint | undefined;
}

export function cursors(secret: string, list: string): Cursors {
  const key = createSecretKey(Buffer.from(secret));
  const sign = (position: string, filter = '') =>
    createHmac('sha256', key).update(`${list}\n${filter}\n${position}`).digest('base64url');

  return {
    after(id, filter) {
      const position = id.toString(36);
      return `${position}.${sign(position, filter)}`;
    },
    open(cursor, filter) {
      const parts = cursor.split('.');
      // Stryker disable next-line StringLiteral: split returns at least one part, so the default is never used.
      const [position = '', ...signature] = parts;
      return sameText(signature.join('.'), sign(position, filter)) ? fromBase36(position) : undefined;
    },
  };
}

function sameText(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

/** Pet and order ids stay below 2^53, so a number is exact. */
function fromBase36(text: string): bigint {
  return BigInt(Number.parseInt(text, 36));
}
