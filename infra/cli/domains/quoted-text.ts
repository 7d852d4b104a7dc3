/** A string of a TXT record has up to 255 octets; a longer text is split into several strings. */
const LONGEST_STRING = 255;

/** Text as the value of a TXT record: "in quotes", with quotes and backslashes in it escaped. */
export function quoted(text: string): string {
  const strings = text.match(new RegExp(`.{1,${LONGEST_STRING}}`, 'gs')) ?? [''];
  return strings.map(string => `"${string.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
