/**
 * JSON with exact integers, also where JSON.parse has no access to the source text of a number (Node 20, Safari).
 * It reads and writes as the service does.
 */

/**
 * A string or a number, and whether a colon follows: what stands before a colon is the name of a member. A string without
 * an end takes the rest of the text, so that no mark inside of it can end it.
 */
const TOKEN = /("[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(\s*:)?/g;

/** Every int64 has at most nineteen digits. A longer integer is out of range and stays a number. */
const INT64_DIGITS = 19;

/**
 * Parses JSON text. Every integer that may be an int64 becomes a bigint, whether written 5, 5.0 or 5e0. JSON.parse
 * gets each number as a string: numbers are marked by an n, strings by an s, and the reviver removes the marks.
 */
export function parseJson(text: string): unknown {
  const marked = text.replace(TOKEN, (all, token: string, colon?: string) => {
    if (colon) return all;
    return token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  return JSON.parse(marked, (_name, value) => {
    if (typeof value !== 'string') return value;
    const source = value.slice(1);
    return value[0] === 's' ? source : (exactInteger(source) ?? Number(source));
  });
}

/** Writes JSON text. A bigint becomes a number with all its digits; an integer that has lost digits is refused. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${value} is not exact: use a bigint.`);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(stringifyJson)}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`)}}`;
}

/** The integer value of a JSON number, or undefined when it has a fraction or too many digits. */
function exactInteger(source: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const allDigits = (whole + fraction).replace(/^0+/, '');
  if (!allDigits) return 0n;
  // The lookbehind keeps this linear: without it every zero inside a long number would start another search.
  const digits = allDigits.replace(/(?<!0)0+$/, '');
  const zeros = Number(exponent) - fraction.length + (allDigits.length - digits.length);
  if (zeros < 0 || digits.length + zeros > INT64_DIGITS) return undefined;
  return BigInt(sign + digits + '0'.repeat(zeros));
}
