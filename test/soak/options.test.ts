import { expect, test } from 'vitest';
import { UsageError } from '../script-options.ts';
import { PARTS, readOptions } from './options.ts';

const DEFAULTS = {
  minutes: 5,
  seed: 42,
  parts: PARTS,
  jsonFile: '.cache/soak.json',
  svgFile: '.cache/soak.svg',
  keepsFolder: false,
  help: false,
};

test.each([
  ['nothing', [], {}],
  ['--minutes', ['--minutes', '0.5'], { minutes: 0.5 }],
  ['--seed', ['--seed', '7'], { seed: 7 }],
  ['--json and --svg', ['--json', 'a', '--svg', 'b'], { jsonFile: 'a', svgFile: 'b' }],
  ['--only', ['--only', 'animals, keys'], { parts: ['animals', 'keys'] }],
  ['--keep', ['--keep'], { keepsFolder: true }],
  ['--help', ['--help'], { help: true }],
])('reads %s', (_title, args, options) => {
  expect(readOptions(args, () => 42)).toEqual({ ...DEFAULTS, ...options });
});

test.each([
  ['--minutes', ['--minutes', '0']],
  ['--minutes', ['--minutes', 'five']],
  ['--minutes', ['--minutes', '1441']],
  ['--seed', ['--seed', '-1']],
  ['--seed', ['--seed', '1.5']],
  ['--only', ['--only', 'plants']],
  ['--speed', ['--speed', '1']],
])('one line names %s when it is wrong: %j', (name, args) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(name);
});
