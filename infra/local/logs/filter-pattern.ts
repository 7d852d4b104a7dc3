/**
 * The filter patterns of CloudWatch Logs: terms (`ERROR "no table" -debug`, `?a ?b`) and JSON patterns
 * (`{ ($.status = 503) && ($.keyId != "-") }`). Patterns of columns ([a, b]) and regular expressions (%…%) are not supported.
 */
import { FilterPatternError } from './filter-pattern-error.ts';
import { jsonPattern } from './json-pattern.ts';

/** Whether an event's message matches. */
export type FilterPattern = (message: string) => boolean;

/** Reads a pattern. Throws a FilterPatternError for one that is invalid or not supported. */
export function filterPattern(text: string): FilterPattern {
  const pattern = text.trim();
  if (pattern.startsWith('[')) {
    throw new FilterPatternError('A filter pattern of columns', { isUnsupported: true });
  }
  return pattern.startsWith('{') ? jsonPattern(pattern) : termsPattern(pattern);
}

/** A term of letters, digits and underscores, or in quotes, where a backslash escapes a quote. */
const TERM = /([?-]?)(?:"((?:[^"\\]|\\.)+)"|(\w+))(?=\s|$)\s*/y;

/** Terms are searched as whole words, with regard to case. An event has all of them, or one of those with a question mark. */
function termsPattern(text: string): FilterPattern {
  const terms: Record<'' | '?' | '-', FilterPattern[]> = { '': [], '?': [], '-': [] };
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const rest = text.slice(TERM.lastIndex);
    if (/^[?-]?%/.test(rest)) {
      throw new FilterPatternError('A regular expression in a filter pattern', { isUnsupported: true });
    }
    const match = TERM.exec(text);
    if (match === null) throw new FilterPatternError(`a term is neither a word nor in quotes: ${rest}`);
    const [, sign = '', quoted, word] = match;
    terms[sign as '' | '?' | '-'].push(containsTerm(quoted?.replaceAll(/\\(.)/g, '$1') ?? word ?? ''));
  }
  const { '': required, '?': alternatives, '-': excluded } = terms;
  // AWS ignores alternatives beside required terms.
  const isFound: FilterPattern =
    required.length === 0 && alternatives.length > 0
      ? message => alternatives.some(has => has(message))
      : message => required.every(has => has(message));
  return message => isFound(message) && !excluded.some(has => has(message));
}

function containsTerm(term: string): FilterPattern {
  const isWordCharacter = (character = '') => /\w/.test(character);
  return message => {
    for (let at = message.indexOf(term); at >= 0; at = message.indexOf(term, at + 1)) {
      const isInsideWord =
        (isWordCharacter(term[0]) && isWordCharacter(message[at - 1])) ||
        (isWordCharacter(term.at(-1)) && isWordCharacter(message[at + term.length]));
      if (!isInsideWord) return true;
    }
    return false;
  };
}
