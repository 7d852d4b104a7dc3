/**
 * JSON with exact integers, also where JSON.parse has no access to the source text of a number (Node 20, Safari).
 * It reads and writes as the service does.
 */
/**
 * Parses JSON text. Every integer that may be an int64 becomes a bigint, whether written 5, 5.0 or 5e0. JSON.parse
 * gets each number as a string: numbers are marked by an n, strings by an s, and the reviver removes the marks.
 */
export declare function parseJson(text: string): unknown;
/** Writes JSON text. A bigint becomes a number with all its digits; an integer that has lost digits is refused. */
export declare function stringifyJson(value: unknown): string;
