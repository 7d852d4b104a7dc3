import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { releasedContract } from '../../infra/openapi/contract/released-contract.ts';

const read = (path: string) => readFileSync(path, 'utf8');

describe('CHANGELOG', () => {
  const headings = read('.github/CHANGELOG.md').match(/^## .*/gm) ?? [];

  test('begins with what is not released, and has the released version of the interface next', () => {
    expect(headings[0]).toBe('## [Unreleased]');
    const { version } = releasedContract().info;
    expect(headings[1]).toMatch(
      new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`),
    );
  });

  test('has the newest version first', () => {
    const dates = headings.slice(1).map(heading => heading.split(' - ')[1]);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });
});

test('SECURITY says where to report, what is supported and what is protected', () => {
  expect(read('.github/SECURITY.md').match(/^## .*/gm)).toEqual([
    '## Report a vulnerability',
    '## What is supported',
    '## What the design protects',
  ]);
});

test.for([
  ...readdirSync('.github', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md')),
])('the links of %s lead to files', name => {
  const path = join('.github', name);
  for (const [, link] of read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
    expect(existsSync(join(dirname(path), link as string)), link).toBe(true);
  }
});

test('GitHub shows the README of the project, not one of this folder', () => {
  expect(existsSync('.github/README.md')).toBe(false);
});
