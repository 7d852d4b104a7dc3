/**
 * Regular expressions of the document. They use only what ECMAScript (with the flag u), Python, Java and Go interpret
 * alike, so that any tool can validate with them and generate from them: character classes of single code points, no
 * properties, no look-around.
 */

/** Control characters, Unicode's Cc. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const SURROGATES = '\\ud800-\\udfff';

/** The white space that String.prototype.trim removes, without control characters. */
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** 1 to 255 code points, the first and the last of them not white space, with any white space around them. */
export const PET_NAME_PATTERN = (() => {
  const visible = `[^${CONTROL}${SURROGATES}${SPACE}]`;
  const any = `[^${CONTROL}${SURROGATES}]`;
  return `^[${SPACE}]*${visible}(${any}{0,253}${visible})?[${SPACE}]*$`;
})();

/** 1 to 255 characters that a header can carry (RFC 9110, 5.5); blanks around a header's value are not part of it. */
export const IDEMPOTENCY_KEY_PATTERN = (() => {
  const visible = '!-~\\u0080-\\u00ff';
  return `^[${visible}]([\\t ${visible}]{0,253}[${visible}])?$`;
})();
