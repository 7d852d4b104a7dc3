import { expect, test } from 'vitest';
import { ORDER_OPERATIONS } from '../../../infra/openapi/orders.ts';
import { DESCRIPTION } from '../../../infra/openapi/pages.ts';
import { PET_OPERATIONS } from '../../../infra/openapi/pets.ts';
import { ALL_SCOPES } from '../../../shared/api-keys/scopes.ts';
import { STATUS_BY_CODE } from '../../../shared/http/errors.ts';

const operations = [...PET_OPERATIONS, ...ORDER_OPERATIONS].map(({ declaration }) => declaration);
const text = DESCRIPTION.replaceAll(/\s+/g, ' ');

test.each(ALL_SCOPES)('the pages describe the scope %s', scope => {
  expect(DESCRIPTION).toContain(`| \`${scope}\` |`);
});

test.each(Object.entries(STATUS_BY_CODE))(
  'the pages describe the error %s with its status %i',
  (code, status) => {
    expect(DESCRIPTION).toContain(`| **${status}** \`${code}\` |`);
  },
);

test('the introduction names every operation', () => {
  const [introduction = ''] = DESCRIPTION.split('\n# Authentication');
  for (const { method, path } of operations) expect(introduction).toContain(`\`${method} ${path}\``);
});

test('the pages name every deprecated operation with its day of removal', () => {
  const deprecated = operations.flatMap(({ method, path, deprecation }) =>
    deprecation ? [{ method, path, ...deprecation }] : [],
  );
  expect(deprecated.map(({ sunset }) => sunset)).toEqual(['2030-12-05']);
  for (const { method, path, successor } of deprecated) {
    expect(text).toContain(
      `\`${method} ${path}\` is deprecated and is removed on **5 December 2030**. Use \`${successor.method} ${successor.path}\``,
    );
  }
});

test('the pages name every experimental operation', () => {
  const experimental = operations.filter(({ stability }) => stability === 'experimental');
  expect(experimental).not.toEqual([]);
  for (const { method, path } of experimental)
    expect(text).toContain(`\`${method} ${path}\` is experimental.`);
});
