import { expect, test } from 'vitest';
import { linkTargets } from '../src/deprecation.ts';

test.for([
  ['</a>; rel="next"', ['/a']],
  ['</a>; rel=next', ['/a']],
  ['</a>; rel="prev", </b>; rel="next"', ['/b']],
  ['</a>; rel="next", </b>; rel="next"', ['/a', '/b']],
  ['</a>;title="b, <c>; rel=next";rel="last Next"', ['/a']],
  [String.raw`</a>; title="\", <c>; rel=next"; rel=last`, []],
  ['</a?b=1,2;c>; REL = "next"', ['/a?b=1,2;c']],
  ['</a>; rel="successor-version"', []],
  ['</a>; nofollow="rel=next"', []],
  ['', []],
  [null, []],
  ['/a; rel="next"', undefined],
  ['</a; rel="next"', undefined],
  ['</a> rel="next"', undefined],
  ['</a>; rel="next', undefined],
  ['</a>; rel="prev", /b; rel="next"', undefined],
  [`</a>${'; a'.repeat(20_000)}"`, undefined],
] as const)('the next links of %s are %s', ([header, targets]) => {
  expect(linkTargets(header, 'next')).toEqual(targets);
});
