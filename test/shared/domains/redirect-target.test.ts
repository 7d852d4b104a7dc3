import { expect, test } from 'vitest';
import { redirectTarget } from '../../../shared/domains/redirect-target.ts';
import type { Routing } from '../../../shared/projects/routing.ts';

const WWW = { from: 'www.zoo.example', to: 'zoo.example', status: 308 } as const;
const OLD = { from: 'old.zoo.example', to: 'zoo.example', status: 302 } as const;
const API = { from: 'api.zoo.example', to: 'lost.zoo.example', status: 301 } as const;

const owners: Record<string, string> = {
  'www.zoo.example': 'zoo',
  'zoo.example': 'zoo',
  'api.zoo.example': 'zoo',
  'lost.zoo.example': 'gone',
};
const liveDomains = ['zoo.example', 'www.zoo.example', 'old.zoo.example', 'api.zoo.example'];
const projects: Record<string, Routing> = {
  zoo: { liveDomains, primary: 'zoo.example', redirects: [OLD, WWW, API] },
};

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
  ['a domain whose target is not live', 'api.zoo.example'],
  ['a host that is no domain', 'abcdefghij.execute-api.us-east-1.amazonaws.com'],
])('nowhere: %s', async (_, host) => {
  expect(await redirectOf(host)).toBeUndefined();
});
