import { randomInt } from 'node:crypto';
import type { GenerateSecretString } from './secret-type.ts';

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const UPPERCASE = LOWERCASE.toUpperCase();
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** A password as GetRandomPassword generates it: by default with at least one character of each included type. */
export function randomPassword(options: GenerateSecretString): string {
  const types = [
    options.ExcludeLowercase ? '' : LOWERCASE,
    options.ExcludeUppercase ? '' : UPPERCASE,
    options.ExcludeNumbers ? '' : NUMBERS,
    options.ExcludePunctuation ? '' : PUNCTUATION,
    options.IncludeSpace ? ' ' : '',
  ]
    .map(characters => [...characters].filter(character => !options.ExcludeCharacters.includes(character)))
    .filter(characters => characters.length > 0);
  const all = types.flat();
  const required = options.RequireEachIncludedType ? types.map(pick).slice(0, options.PasswordLength) : [];
  const rest = Array.from({ length: options.PasswordLength - required.length }, () => pick(all));
  return shuffled([...required, ...rest]).join('');
}

function pick(characters: readonly string[]): string {
  return characters[randomInt(characters.length)] ?? '';
}

function shuffled(characters: readonly string[]): string[] {
  const result = [...characters];
  for (let last = result.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [result[last], result[other]] = [result[other] ?? '', result[last] ?? ''];
  }
  return result;
}
