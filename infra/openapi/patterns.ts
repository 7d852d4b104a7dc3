/**
 * Regular expressions of the document. They keep to what ECMAScript (with the flag u), Python, Java and Go understand
 * alike, so that any tool can check with them and generate from them: character classes of single code points, no
 * properties, no look-around.
 */

/** Control characters, Unicode's Cc. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const SURROGATES = '\\ud800-\\udfff';

/** What String.prototype.trim takes off, control characters aside. */
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** 1 to 255 code points, the first and the last of them no white space; white space around them does not count. */
export const PET_NAME_PATTERN = (() => {
  const visible = `[^${CONTROL}${SURROGATES}${SPACE}]`;
  const any = `[^${CONTROL}${SURROGATES}]`;
  return `^[${SPACE}]*${visible}(${any}{0,253}${visible})?[${SPACE}]*$`;
})();

/** 1 to 255 characters that a header can carry (RFC 9110, 5.5), which loses blanks around its value on the way. */
export const IDEMPOTENCY_KEY_PATTERN = (() => {
  const visible = '!-~\\u0080-\\u00ff';
  return `^[${visible}]([\\t ${visible}]{0,253}[${visible}])?$`;
})();
