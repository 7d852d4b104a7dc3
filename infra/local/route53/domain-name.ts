/**
 * Domain names as Route 53 keeps them: in lower case, with a trailing dot, and with an octal escape for every character
 * but letters, digits, hyphen and underscore: the wildcard *.example.com is `\052.example.com.`.
 */

const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;

/** Most names have this form already. */
const PLAIN_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

export const WILDCARD_LABEL = '\\052';

/** The name in Route 53's form, or undefined when it is not a domain name. */
export function normalizedName(text: string): string | undefined {
  if (text.length < MAX_NAME_OCTETS && PLAIN_NAME.test(text)) return text.endsWith('.') ? text : `${text}.`;
  const labels = text.replace(/\.$/, '').split('.').map(normalizedLabel);
  const isName = labels.every(label => label !== undefined);
  const name = `${labels.join('.')}.`;
  return isName && octets(name) <= MAX_NAME_OCTETS ? name : undefined;
}

function normalizedLabel(label: string): string | undefined {
  if (!/^(?:\\[0-7]{3}|[^\\\s])+$/.test(label)) return undefined;
  const normalized = label.replace(/\\[0-7]{3}|[^\\]/gu, normalizedCharacter);
  const isAscii = /^[\x21-\x7e]+$/.test(normalized);
  return isAscii && octets(normalized) <= MAX_LABEL_OCTETS ? normalized : undefined;
}

function normalizedCharacter(escaped: string): string {
  const isEscape = escaped.startsWith('\\');
  const character = isEscape ? String.fromCharCode(Number.parseInt(escaped.slice(1), 8)) : escaped;
  if (/[a-z0-9_-]/i.test(character)) return character.toLowerCase();
  if (!isEscape && character > '\x7e') return character;
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

function octets(name: string): number {
  return name.replaceAll(/\\\d{3}/g, '?').length;
}

/** Whether the name is the zone's own or below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** The name without its first label. */
export function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** The key that Route 53 orders names by, in ASCII order: com.example.www. for www.example.com. */
export function reversedLabels(name: string): string {
  return `${name.slice(0, -1).split('.').reverse().join('.')}.`;
}

/** The name as DNS messages carry it, without escapes. */
export function unescapedName(name: string): string {
  return name.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
