import { describe, expect, test } from 'vitest';
import { UsageError } from '../../script-options.ts';
import { readOptions } from './options.ts';

describe('the options of npm run template-mutants', () => {
  test('judge all mutants by default', () => {
    expect(readOptions([])).toMatchObject({ isQuick: false, only: '', isList: false, help: false });
    expect(readOptions([]).jsonFile).toBe('.cache/template-mutants.json');
  });

  test('choose mutants, processes and the file of the results', () => {
    const options = readOptions(['--quick', '--only', 'PetsTable', '--workers', '3', '--json', 'out.json']);
    expect(options).toMatchObject({ isQuick: true, only: 'PetsTable', workers: 3, jsonFile: 'out.json' });
  });

  test.each([['--workers', '0'], ['--workers', 'two'], ['--fast'], ['PetsTable']])(
    'reject %s %s',
    (...args) => {
      expect(() => readOptions(args)).toThrow(UsageError);
    },
  );
});
