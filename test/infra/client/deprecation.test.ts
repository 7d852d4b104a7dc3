import { expect, test } from 'vitest';
import { linkTarget } from '../../../infra/client/src/deprecation.ts';

test.for([
  ['</a>; rel="next"', '/a'],
  ['</a>; rel=next', '/a'],
  ['</a>; rel="prev", </b>; rel="next"', '/b'],
  ['</a>;title="b, <c>; rel=next";rel="last Next"', '/a'],
  ['</a?b=1,2;c>; REL = "next"', '/a?b=1,2;c'],
  ['</a>; rel="successor-version"', undefined],
  ['</a>; nofollow="rel=next"', undefined],
  ['/a; rel="next"', undefined],
  ['', undefined],
  [null, undefined],
] as const)('the next link of %s is %s', ([header, target]) => {
  expect(linkTarget(header, 'next')).toBe(target);
});
