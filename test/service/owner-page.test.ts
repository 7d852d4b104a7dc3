import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainCommands, type Registrar, registrarOf } from './domain-commands.ts';
import { eventually } from './operator.ts';
import { sharedService } from './shared-service.ts';
import { story } from './story.ts';

const service = sharedService();
const { command, claimed, deployed, shown } = domainCommands('staging');

const PROJECT = 'owner-page';
const DOMAIN = 'www.owner-page.com';
const fields = { project: PROJECT, domain: DOMAIN };

story('the owner of a domain, who has nothing but a link', () => {
  let registrar: Registrar;
  let url = '';
  let records: Awaited<ReturnType<typeof claimed>>['records'];
  const page = async () => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const ask = () => fetch(url, { method: 'POST', redirect: 'manual' });

  beforeAll(async () => {
    registrar = await registrarOf('owner-page.com', service);
    await deployed(PROJECT);
    await command('projects.rename', { id: PROJECT, name: 'The Owner Zoo' });
  });
  afterAll(() => registrar.close());

  test('reads who asks for which records', async () => {
    ({ records } = await claimed(DOMAIN, PROJECT));
    const { url: link } = await command('domains.link', fields);
    url = link.replace(/^https:\/\/[^/]+\/v1/, service.staging.url);
    const { status, text, headers } = await page();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('The Owner Zoo');
    expect(text).toContain(records[0].value);
  });

  test('asks for a look, and learns what is wrong', async () => {
    await registrar.set(DOMAIN, 'CNAME', 'old.example.net');
    const { status, headers } = await ask();
    expect([status, headers.get('location')]).toEqual([303, new URL(url).pathname]);
    await eventually(async () => expect((await page()).text).toContain('old.example.net'));
    const { askedAt } = await shown(DOMAIN, { status: 'verifying' }, PROJECT);
    expect(Date.now() - Date.parse(askedAt)).toBeLessThan(120_000);
  });

  test('creates the records and asks again, until the domain is live', async () => {
    await registrar.create(records);
    await registrar.create((await command('domains.show', fields)).records);
    await ask();
    await eventually(async () => expect((await page()).text).toContain(`<title>✓ ${DOMAIN} is live</title>`));
  });

  test('has no page any more once the operator has ended the links', async () => {
    await command('domains.unlink', fields);
    const ended = await page();
    const forged = await fetch(url.replace(/.$/, '_'));
    expect([ended.status, forged.status]).toEqual([404, 404]);
    expect(ended.text).toBe(await forged.text());
    expect((await fetch(url, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });
});
