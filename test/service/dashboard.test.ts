import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEEDS_BROWSER, startBrowser } from './browser.ts';
import { domainCommands, type Registrar, registrarOf, type ShownRecord } from './domain-commands.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const { command: change, deployed } = domainCommands('staging');

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const PROJECT = 'dashboard-shop';
const ZONE = 'dashboard-shop.com';
const DOMAINS = `/staging/projects/${PROJECT}/domains`;

describe('Project settings → Domains', NEEDS_BROWSER, () => {
  let dashboard: OpenDashboard;
  let registrar: Registrar;
  beforeAll(async () => {
    await deployed(PROJECT);
    registrar = await registrarOf(ZONE, service);
    dashboard = await openDashboard(browser, service.dashboard);
  });
  afterAll(() => registrar?.close());

  const heading = (name: string) => dashboard.page.getByRole('heading', { name, exact: true });
  const state = (words: string) =>
    dashboard.page.locator('main .page-head').getByText(words, { exact: true });
  const link = (name: string) => dashboard.page.getByRole('link', { name, exact: true });
  const card = (domain: string) => dashboard.page.getByRole('row').filter({ has: link(domain) });

  async function add(domain: string): Promise<void> {
    const { page, goTo } = dashboard;
    await goTo(DOMAINS);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain or subdomain').fill(domain);
    await page.keyboard.press('Enter');
    await page.getByText('What happens next').waitFor();
    const pair = page.getByLabel('Also add');
    if (await pair.count()) await pair.uncheck();
    await page.getByLabel('This domain is in use').uncheck();
    await page.getByLabel('Domain or subdomain').press('Enter');
    await heading(domain).waitFor();
    await page.waitForURL(`**${DOMAINS}/${domain}`);
    await page.getByRole('row', { name: /^Certificate.*CNAME/ }).waitFor();
  }

  async function expectLive(): Promise<void> {
    await state('Live').waitFor();
    const steps = dashboard.page.getByRole('list', { name: 'From added to live' }).getByRole('listitem');
    expect(await steps.locator('.icon-check').count()).toBe(5);
  }

  /** The records as the page copies them. */
  async function copiedRecords(): Promise<ShownRecord[]> {
    await dashboard.page.getByRole('button', { name: 'Copy all' }).click();
    await dashboard.page.getByText('Copied all records.').waitFor();
    const [, ...lines] = (await dashboard.copied()).split('\n');
    return lines.map(line => {
      const [type = '', name = '', value = ''] = line.split('\t');
      return { type, name, value };
    });
  }

  test('a subdomain: add, copy the records, create them, live without another click or a reload', async () => {
    const { page, copied, loads } = dashboard;
    const domain = `www.${ZONE}`;
    await add(domain);
    const loadsBefore = loads();
    await page.getByRole('button', { name: 'Copy the value of the traffic record' }).click();
    await page.getByText('Copied the value of the traffic record.').waitFor();
    const target = await copied();
    const records = await copiedRecords();
    expect(records).toMatchObject([{ type: 'CNAME', name: domain, value: target }, { type: 'CNAME' }]);
    await page.getByRole('button', { name: 'More formats' }).click();
    await page.getByRole('menuitem', { name: 'Copy as zone file' }).click();
    await page.getByText('Copied the zone file.').waitFor();
    expect(await copied()).toContain(`${domain}. 3600 IN CNAME ${target}.`);

    await registrar.create(records);
    await expectLive();
    await page.getByText('Primary', { exact: true }).waitFor();
    expect(loads()).toBe(loadsBefore);
  });

  test('an apex: the records by the local DNS server', async () => {
    const { page } = dashboard;
    await add(ZONE);
    await page.getByRole('row', { name: /^Ownership.*TXT/ }).waitFor();
    await page.getByRole('button', { name: 'Create the records and verify' }).click();
    await expectLive();
    await page.getByText('Additional', { exact: true }).waitFor();
  });

  test('primary, redirect, end of the redirect, remove', async () => {
    const { page, goTo } = dashboard;
    const www = `www.${ZONE}`;
    const choose = async (domain: string, name: RegExp) => {
      await page.getByRole('button', { name: `Actions for ${domain}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await goTo(DOMAINS);
    await choose(ZONE, /^Make primary/);
    await card(ZONE).getByText('Primary', { exact: true }).waitFor();
    await card(www).getByText('Additional', { exact: true }).waitFor();

    await choose(www, /^Redirect to/);
    await page
      .getByRole('dialog', { name: `Redirect ${www}` })
      .getByRole('button', { name: 'Redirect' })
      .click();
    await card(www).getByText(`Redirects to ${ZONE}`).waitFor();

    await choose(www, /^End redirect/);
    await card(www).getByText('Additional', { exact: true }).waitFor();

    await choose(www, /^Remove/);
    const dialog = page.getByRole('dialog', { name: `Remove ${www}?` });
    await dialog.getByText(`https://${www} stops responding.`).waitFor();
    await dialog.getByRole('button', { name: 'Redirect instead' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove domain' }).click();
    await dialog.waitFor({ state: 'detached' });
    await card(www).getByText('Being removed', { exact: true }).waitFor();
  });

  test('an error keeps what was typed, and says what to do', async () => {
    const { page, goTo } = dashboard;
    await goTo(DOMAINS);
    await page.getByRole('button', { name: 'Add domain' }).click();
    const field = page.getByLabel('Domain or subdomain');
    await field.fill('sam@example.com');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/isn't just a domain name; enter only the name/)
      .waitFor();
    expect(await field.inputValue()).toBe('sam@example.com');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('the page complains of nothing, and sends no request to another host, in the tests above', () => {
    expect(dashboard.complaints).toEqual([]);
  });
});

describe('two dashboards and the command at once', NEEDS_BROWSER, () => {
  const team = 'dashboard-team';
  const domain = 'www.dashboard-team.com';
  let command: ChildProcess;
  let own: OpenDashboard;
  let other: OpenDashboard;
  let loads: readonly number[];
  beforeAll(async () => {
    await deployed(team);
    const { child, url } = await petstoreDashboard();
    command = child;
    own = await openDashboard(browser, service.dashboard);
    other = await openDashboard(browser, url);
    for (const { goTo } of [own, other]) await goTo(`/staging/projects/${team}/domains`);
    loads = [own.loads(), other.loads()];
  });
  afterAll(() => void command?.kill('SIGTERM'));

  /** `petstore dashboard --local`, which prints its URL. */
  async function petstoreDashboard() {
    const launcher = resolve(import.meta.dirname, '../../infra/bin/petstore');
    const child = spawn(launcher, ['dashboard', '--local', '--no-open', '--port', '0'], {
      env: { ...process.env, PETSTORE_RUNNING_FILE: service.runningFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url) return { child, url };
    }
    throw new Error('The dashboard printed no URL.');
  }

  test('each shows without a reload what another has changed', async () => {
    await change('domains.add', { project: team, domain });
    for (const { page } of [own, other]) {
      await page.getByRole('link', { name: domain, exact: true }).waitFor();
    }

    await own.page.getByRole('button', { name: `Actions for ${domain}` }).click();
    await own.page.getByRole('menuitem', { name: 'Remove' }).click();
    await own.page.getByRole('button', { name: 'Remove domain' }).click();
    // It may be gone before the other one reads that it's being removed.
    await other.page.getByRole('link', { name: domain, exact: true }).waitFor({ state: 'detached' });
    expect([own.loads(), other.loads()]).toEqual(loads);
  });

  test('a page that was left open says that its dashboard was stopped', async () => {
    command.kill('SIGTERM');
    await once(command, 'exit');
    await other.page.getByRole('alert').getByText('The dashboard was stopped.').waitFor();
    expect(await other.page.getByRole('heading', { level: 1 }).textContent()).toBe(team);
  });
});

/** A signed-in page of a dashboard, in a browser session of its own. */
interface OpenDashboard {
  readonly page: Page;
  /** Errors of the page and its console, and requests to other hosts. */
  readonly complaints: string[];
  /** How often a document was loaded: once, unless the page was reloaded. */
  loads(): number;
  goTo(path: string): Promise<void>;
  copied(): Promise<string>;
}

/** Opens the printed URL, as a person does. */
async function openDashboard(browser: Browser, url: string): Promise<OpenDashboard> {
  const { origin } = new URL(url);
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  const complaints: string[] = [];
  let loads = 0;
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', request => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(request.url());
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.goto(url);
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  return {
    page,
    complaints,
    loads: () => loads,
    async goTo(path) {
      await page.goto(`${origin}${path}`);
      await page.locator('main h1').waitFor();
    },
    copied: () => page.evaluate('navigator.clipboard.readText()'),
  };
}
