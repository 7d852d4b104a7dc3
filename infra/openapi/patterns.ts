/**
 * Regular expressions of the document. ECMAScript (with the flag u), Python and Java interpret them alike, so that any
 * tool can validate with them and generate from them: character classes of single code points, no properties, no
 * surrogates, which tools that work with code points cannot represent.
 */

/** In Python `$` also matches before a line feed at the end, so line feeds are excluded at the start. */
const NO_LINE_FEED = '(?![^\\n]*\\n)';

/** Control characters, Unicode's Cc, and U+FFFD, which replaces what a decoder could not read. */
const UNREADABLE = '\\u0000-\\u001f\\u007f-\\u009f\\ufffd';

/** The white space that String.prototype.trim removes, without control characters. */
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** Any characters, at least one of them not white space. The schema's maxLength bounds them. */
export const PET_NAME_PATTERN = `^${NO_LINE_FEED}[^${UNREADABLE}]*[^${UNREADABLE}${SPACE}][^${UNREADABLE}]*$`;

/** 1 to 255 characters that a header can carry (RFC 9110, 5.5); blanks around a header's value are not part of it. */
export const IDEMPOTENCY_KEY_PATTERN = (() => {
  const visible = '!-~\\u0080-\\u00ff';
  return `^[${visible}]([\\t ${visible}]{0,253}[${visible}])?$`;
})();
