import { expect, test } from 'vitest';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import { STATUS_BY_CODE } from '../../../shared/errors.ts';
import { OPERATIONS } from '../../../shared/operations.ts';

const { description = '' } = openApiDocument().info;
const [introduction = ''] = description.split('\n# Authentication');
const text = description.replaceAll(/\s+/g, ' ');

test.each(SCOPE_NAMES)('the pages say what the scope %s allows', scope => {
  expect(description).toMatch(new RegExp(`^\\| \`${scope}\` \\| [a-z ,]+ \\|$`, 'm'));
});

test.each(Object.entries(STATUS_BY_CODE))(
  'the pages describe the error %s with its status %i',
  (code, status) => {
    expect(description).toContain(`| **${status}** \`${code}\` |`);
  },
);

test.each(OPERATIONS)('the introduction lists $name', ({ method, path }) => {
  expect(introduction).toMatch(new RegExp(`^- [a-z ]+: \`${method} ${path}\``, 'm'));
});

test.each(OPERATIONS.filter(({ deprecation }) => deprecation))(
  'the pages say until when $name works, and what to use instead',
  ({ method, path, deprecation }) => {
    const day = new Date(deprecation?.sunset ?? '').toUTCString().slice(5, 7).replace(/^0/, '');
    const { successor } = deprecation ?? {};
    expect(text).toMatch(`\`${method} ${path}\` is deprecated and will be removed on **${day} `);
    expect(text).toContain(`**. Use \`${successor?.method} ${successor?.path}\``);
  },
);

test.each(OPERATIONS.filter(({ stability }) => stability === 'experimental'))(
  'the pages say that $name is experimental',
  ({ method, path }) => {
    expect(text).toContain(`\`${method} ${path}\` is experimental.`);
  },
);
