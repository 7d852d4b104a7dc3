import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Any character of Unicode, no half of a surrogate pair. fast-check has the same as the unit `binary`, but for that each
 * process writes a map of all 1.1 million characters first, which takes more than all generated texts.
 */
export const anyCharacter = fc.nat({ max: LAST - SURROGATES }).map(
  index => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  character => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || character !== String.fromCodePoint(code)) throw new Error('Not one character');
    return code < SURROGATES_FROM ? code : code - SURROGATES;
  },
);

/** Texts of any characters, and some that are dangerous in JavaScript, such as __proto__. */
export function anyText(length: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...length });
}
