import { beforeEach, expect, test } from 'vitest';
import type { Reply } from '../../../../shared/operator/contract.ts';
import { type OperatingDomains, operatingDomains } from '../../../shared/operator/operating-domains.ts';
import { startAnsweringOperator } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';

const [WWW, API, BLOG] = ['www.example.com', 'api.example.com', 'blog.example.com'];

let world: OperatingDomains;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  world = await operatingDomains();
  const operator = await startAnsweringOperator(async ({ command, requestId: _, by: __, ...fields }) => ({
    reply: (await world.ask(String(command), fields)) satisfies Reply,
  }));
  environment = operator.environment;
});

/** The commands that the question before a removal suggests. */
async function advised(domain: string): Promise<string[][]> {
  const { stderr } = await petstoreHere(['domains', 'remove', domain, '--project', 'shop'], environment);
  return stderr
    .split('\n')
    .filter(line => line.startsWith('  petstore '))
    .map(line => line.trim().split(' ').slice(1));
}

async function follow(domain: string) {
  for (const words of await advised(domain)) {
    expect(await petstoreHere(words, environment)).toMatchObject({ exitCode: 0 });
  }
  return world.routingOf('shop');
}

test('the advice works as printed when another domain redirects to the one that is removed', async () => {
  await world.project('shop', WWW, API);
  await world.done('domains.redirect', { project: 'shop', domain: API, to: WWW });
  expect(await follow(WWW)).toMatchObject({ primary: API, redirects: [`${WWW} → ${API}`] });
});

test('the advice works as printed when two domains redirect to the one that is removed', async () => {
  await world.project('shop', WWW, API, BLOG);
  for (const domain of [API, BLOG])
    await world.done('domains.redirect', { project: 'shop', domain, to: WWW });
  expect(await follow(WWW)).toMatchObject({
    primary: API,
    redirects: expect.arrayContaining([`${BLOG} → ${API}`, `${WWW} → ${API}`]),
  });
});

test('the advice works as printed when a domain beside the primary is removed', async () => {
  await world.project('shop', WWW, API, BLOG);
  await world.done('domains.redirect', { project: 'shop', domain: BLOG, to: API });
  expect(await follow(API)).toMatchObject({
    primary: WWW,
    redirects: expect.arrayContaining([`${BLOG} → ${WWW}`, `${API} → ${WWW}`]),
  });
});

test('the advice works as printed when the primary is removed and another domain serves the project', async () => {
  await world.project('shop', WWW, API, BLOG);
  await world.done('domains.redirect', { project: 'shop', domain: API, to: WWW });
  expect(await follow(WWW)).toMatchObject({
    primary: BLOG,
    redirects: expect.arrayContaining([`${API} → ${BLOG}`, `${WWW} → ${BLOG}`]),
  });
});
