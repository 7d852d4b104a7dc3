/**
 * Regular expressions of the document. They use only what ECMAScript (with the flag u), Python, Java and Go interpret
 * alike, so that any tool can validate with them and generate from them: character classes of single code points, no
 * properties, no look-around, no surrogates, which tools that work with code points cannot represent.
 */

/** Control characters, Unicode's Cc, and U+FFFD, which replaces what a decoder could not read. */
const UNREADABLE = '\\u0000-\\u001f\\u007f-\\u009f\\ufffd';

/** The white space that String.prototype.trim removes, without control characters. */
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** Any characters, at least one of them not white space. The schema's maxLength bounds them. */
export const PET_NAME_PATTERN = `^[^${UNREADABLE}]*[^${UNREADABLE}${SPACE}][^${UNREADABLE}]*$`;

/** 1 to 255 characters that a header can carry (RFC 9110, 5.5); blanks around a header's value are not part of it. */
export const IDEMPOTENCY_KEY_PATTERN = (() => {
  const visible = '!-~\\u0080-\\u00ff';
  return `^[${visible}]([\\t ${visible}]{0,253}[${visible}])?$`;
})();

/** In Python `$` also matches before a line feed at the end: without this, tools would generate names that end with one. */
export const NO_LINE_FEED = { pattern: '\\n' };
