import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ALL_APIS } from './all-apis.ts';

const readme = readFileSync(new URL('../../../infra/local/README.md', import.meta.url), 'utf8');

/** The cells of the table under a heading, row by row. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
}

describe('README.md', () => {
  test('lists every operation of every service, in the order of the tables', () => {
    const listed = tableUnder('Operations').map(([service, operation]) => `${service} ${operation}`);
    const supported = ALL_APIS.flatMap(({ title, operations }) =>
      operations.map(({ name }) => `${title} ${name}`),
    );
    expect(listed).toEqual(supported);
  });

  test('says of every rule how it was verified', () => {
    const rules = tableUnder('Rules, differences and how they were verified');
    expect(rules.length).toBeGreaterThan(0);
    for (const [service, rule, , verified] of rules) {
      expect(verified, `${service}: ${rule}`).toMatch(/documentation|recorded|not verified/);
    }
  });
});

test.each(ALL_APIS.map(api => [api.title, api] as const))(
  'the errors that the dispatcher answers for %s have an HTTP status',
  (_, { errorNames, statusByError }) => {
    for (const name of Object.values(errorNames)) expect(statusByError).toHaveProperty(name);
  },
);
