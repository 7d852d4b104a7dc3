import { expect, test } from 'vitest';
import { redirectTarget } from '../../../shared/domains/redirect-target.ts';

const WWW = { from: 'www.zoo.example', to: 'zoo.example', status: 308 };
const OLD = { from: 'old.zoo.example', to: 'zoo.example', status: 302 };

const owners: Record<string, string> = {
  'www.zoo.example': 'zoo',
  'zoo.example': 'zoo',
  'lost.zoo.example': 'gone',
};
const projects: Record<string, { redirects: (typeof WWW)[] }> = { zoo: { redirects: [OLD, WWW] } };

const redirectOf = redirectTarget(
  async host => owners[host],
  async id => projects[id],
);

test('a domain redirects to where its project says', async () => {
  expect(await redirectOf('www.zoo.example')).toMatchObject({ to: 'zoo.example', status: 308 });
});

test.each([
  ['a domain that serves its project', 'zoo.example'],
  ['a domain whose project is gone', 'lost.zoo.example'],
  ['a redirect of a domain that is gone', 'old.zoo.example'],
  ['a host that is no domain', 'abcdefghij.execute-api.us-east-1.amazonaws.com'],
])('nowhere: %s', async (_, host) => {
  expect(await redirectOf(host)).toBeUndefined();
});
