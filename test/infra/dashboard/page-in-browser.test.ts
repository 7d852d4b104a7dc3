import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandError } from '../../../infra/operator/connection/command-error.ts';
import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { NEEDS_BROWSER, startBrowser } from '../../service/browser.ts';
import { LINK } from '../operator/operator-stand-in.ts';
import { KEYS, ORDERS, PROJECTS } from './shown-data.ts';
import { DOMAINS, STATES } from './shown-domains.ts';
import {
  dashboardAt,
  followLink,
  type StandIn,
  standInEnvironment,
  type TestDashboard,
  testDashboard,
} from './test-dashboard.ts';

const SECRET = 'x-petstore-dashboard';
const DOMAIN_LIST = '/staging/projects/petstore/domains';

describe('the page', NEEDS_BROWSER, () => {
  let browser: Browser;
  let context: BrowserContext;
  let staging: StandIn;
  let production: StandIn;
  let dashboard: TestDashboard;
  let page: Page;
  const openPage = async () => {
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
  };
  beforeAll(async () => {
    browser = await startBrowser();
    // One page for all tests: a new one is a new process of the browser, which loads all scripts again.
    await openPage();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    staging = standInEnvironment('staging');
    production = standInEnvironment('production');
    // At another origin than that of the test before.
    dashboard = await testDashboard(staging, production);
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.goto(dashboard.url);
    // The first data is on the screen: some tests are about what becomes of it.
    await project().waitFor();
  });
  afterEach(() => dashboard.close());

  const load = (path: string) => page.goto(`${dashboard.origin}${path}`);
  const goTo = (path: string) => followLink(page, path);
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const title = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const project = () => page.getByRole('link', { name: 'petstore', exact: true });
  const sent = (environment: StandIn, command: string) =>
    environment.sent.filter(each => each.command === command);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Chooses an item of the menu of a domain or a key. */
  const choose = async (subject: string, item: string) => {
    await button(`Actions for ${subject}`).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const enterStage = (stage: string) => page.getByRole('banner').getByRole('link', { name: stage }).click();
  /** Begins to add a domain, whose first look is then on the screen. */
  const lookAt = async (name: string) => {
    await button('Add domain').click();
    await page.getByLabel('Domain or subdomain').fill(name);
    await page.keyboard.press('Enter');
    await page.getByText('What happens next').waitFor();
  };
  const painted = () => page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime');

  test('drops the token from the URL; other tabs are signed in, and a server at another port gets no secret', async () => {
    expect(page.url()).toBe(`${dashboard.origin}/`);
    // On a busy machine the page may still move what is clicked, so that nothing opens: people click again.
    for (let isOpened = false; !isOpened; ) {
      const opened = context.waitForEvent('page', { timeout: 10_000 }).catch(() => undefined);
      await project().click({ modifiers: ['ControlOrMeta'] });
      const tab = await opened;
      isOpened = tab !== undefined;
      await tab?.close();
    }
    const tab = await context.newPage();
    await tab.goto(`${dashboard.origin}/staging/projects/petstore`);
    await tab.getByRole('heading', { name: 'petstore', exact: true, level: 1 }).waitFor();
    // A page of another port gets every cookie of its host, and may open and call the dashboard.
    const session = page.waitForRequest('**/api/staging/**').then(each => each.headerValue(SECRET));
    const received: string[] = [];
    const other = createServer((request, response) => {
      received.push(JSON.stringify(request.headers));
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>other</title>');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    staging.sent.length = 0;
    await tab.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const secret = (await session) ?? '';
    expect([secret.length, received.length]).toEqual([43, expect.any(Number)]);
    expect(received.filter(headers => headers.includes(secret) || headers.includes('"cookie"'))).toEqual([]);
    const url = `${dashboard.origin}/api/staging/commands/keys.create`;
    const options = { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"input":{}}' };
    const popup = context.waitForEvent('page');
    await tab.evaluate(`open(${JSON.stringify(dashboard.origin)});
      fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).catch(() => {})`);
    expect(await page.evaluate('sessionStorage.length + document.cookie.length')).toBe(0);
    expect(sent(staging, 'keys.create')).toEqual([]);
    await (await popup).close();
    await tab.close();
    other.close();
  });

  test('paints before its environment has responded, from less than 50 KB of files', async () => {
    await goTo('/staging/keys');
    await heading('API keys').waitFor();
    const responded = Promise.withResolvers();
    staging.respond = () => responded.promise;
    await page.reload();
    await expect.poll(painted).toBeGreaterThan(0);
    responded.resolve({ keys: KEYS, next: null });
    await heading('API keys').waitFor();
    // How many responses have come depends on the time that has passed.
    const bytes = await page.evaluate(
      'performance.getEntries().reduce((sum, { name, encodedBodySize = 0 }) => sum + (name.includes("/api/") ? 0 : encodedBodySize), 0)',
    );
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(50_000);
  });

  test('shows names and messages as text, also when they are markup', async () => {
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    staging.respond = command =>
      ({
        'projects.list': { projects: [{ ...PROJECTS[0], id: markup, name: markup, primary: markup }] },
        'keys.list': { keys: [{ ...KEYS[0], name: markup, hint: markup }], next: null },
        'domains.show': { ...DOMAINS[3], domain: markup, message: markup, next: [markup] },
      })[command as 'keys.list'];
    for (const path of ['/staging/projects', '/staging/keys', `${DOMAIN_LIST}/new.example.com`]) {
      await load(path);
      await page.getByText(markup).first().waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await page.title()).toContain('Petstore');
    }
  });

  test('back, forward, reload and a bookmark lead to the same place', async () => {
    await page.getByRole('link', { name: 'petstore', exact: true }).click();
    await page.getByRole('link', { name: 'new.example.com' }).click();
    await page.waitForURL(`${dashboard.origin}${DOMAIN_LIST}/new.example.com`);
    await title('new.example.com').waitFor();
    await page.reload();
    await title('new.example.com').waitFor();
    await page.goBack();
    await heading('Domains').waitFor();
    await page.goForward();
    await title('new.example.com').waitFor();
    await load('/staging/audit?q=jane+domains.add');
    expect(await page.getByLabel('Search changes').inputValue()).toBe('jane domains.add');
    await page.getByRole('rowheader', { name: 'Added example.org' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
  });

  test('says where one is, and looks different in production', async () => {
    const bar = page.getByRole('banner');
    await bar.getByText('123456789012').waitFor();
    await bar.getByText('eu-central-1').waitFor();
    const color = 'getComputedStyle(document.querySelector("header")).backgroundColor';
    const before = await page.evaluate(color);
    // Observers are called before the browser paints: not even one frame of production may look like staging.
    const colorWithNote = page.evaluate(`new Promise(resolve =>
      new MutationObserver(() => document.querySelector("header .warning") && resolve(${color}))
        .observe(document.body, { childList: true, subtree: true }))`);
    await enterStage('production');
    await bar.getByText('Production: customers see your changes.').waitFor();
    expect(page.url()).toBe(`${dashboard.origin}/production/projects`);
    expect(await colorWithNote).not.toBe(before);
  });

  test('removes a domain of production only when its name was typed', async () => {
    await goTo('/production/projects/petstore/domains');
    await choose('pets.example.com', 'Remove');
    const remove = page.getByRole('button', { name: 'Remove domain' });
    expect(await remove.isDisabled()).toBe(true);
    const confirmation = page.getByLabel('Type pets.example.com to confirm');
    await confirmation.fill('pets.example.org');
    expect(await remove.isDisabled()).toBe(true);
    await confirmation.fill('pets.example.com');
    await remove.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent(production, 'domains.remove')).toMatchObject([
      { input: { project: 'petstore', domain: 'pets.example.com' } },
    ]);
    expect(sent(staging, 'domains.remove')).toEqual([]);
  });

  test('shows the warnings of a change until they are dismissed, in its environment only', async () => {
    const warning = 'The mapping of a.example.com could not be changed. Verify a.example.com.';
    staging.warnings = [warning];
    await goTo(DOMAIN_LIST);
    await choose('pets.example.com', 'Remove');
    await button('Remove domain').click();
    const note = page.getByRole('alert').filter({ hasText: warning });
    await note.waitFor();
    await enterStage('production');
    await note.waitFor({ state: 'detached' });
    await enterStage('staging');
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await note.waitFor({ state: 'detached' });
  });

  test('says that an environment runs another version', async () => {
    production.versionNote = 'production runs version 1.0.0+cd; this checkout is 1.0.0+ab.';
    await goTo(DOMAIN_LIST);
    const note = page.getByRole('status').filter({ hasText: 'production runs version 1.0.0+cd' });
    expect(await note.count()).toBe(0);
    await enterStage('production');
    await note.waitFor();
    delete production.versionNote;
  });

  test('a request whose outcome is not known is sent again as the same request, also by a dialog that is reopened', async () => {
    await goTo(DOMAIN_LIST);
    staging.respond = command => {
      if (command !== 'domains.add') return undefined;
      if (sent(staging, 'domains.add').length === 3) return DOMAINS[3];
      throw new CommandError('unavailable', 'It is busy.', { openRequestId: 'a' });
    };
    const add = async () => {
      await lookAt('new.example.com');
      await page.keyboard.press('Enter');
    };
    await add();
    await page.getByRole('alert').getByText('may or may not have been made').waitFor();
    await page.keyboard.press('Escape');
    await add();
    await page.getByRole('alert').getByText('It is busy.').waitFor();
    await page.keyboard.press('Enter');
    // The list behind the dialog has a heading of this name, too.
    await page.waitForURL(`${dashboard.origin}${DOMAIN_LIST}/new.example.com`);
    const [first, ...again] = sent(staging, 'domains.add');
    expect(again).toEqual([first, first]);
  });

  test('shows a new key once', async () => {
    await goTo('/staging/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme');
    await page.getByLabel('orders:read').uncheck();
    await page.keyboard.press('Enter');
    const key = page.getByText(/^pet_test_4f8K/);
    await key.waitFor();
    const input = {
      name: 'Acme',
      scopes: ['pets:read', 'pets:write'],
      expiresAt: expect.stringMatching(/Z$/),
    };
    expect(sent(staging, 'keys.create')).toMatchObject([{ input }]);
    // No single key or button loses it, whatever was pressed before.
    const asking = page.getByText("You haven't copied the key");
    const isCopyFocused = () =>
      page.getByRole('button', { name: 'Copy the key' }).and(page.locator(':focus')).count();
    expect(await isCopyFocused()).toBe(1);
    for (const press of ['Escape', 'Escape', 'Escape']) {
      await page.keyboard.press(press);
      await asking.waitFor();
      expect([await key.count(), await isCopyFocused()]).toEqual([1, 1]);
    }
    for (const name of ['Done', 'Close']) {
      await page.getByRole('button', { name: 'Keep it open' }).click();
      await page.getByRole('button', { name, exact: true }).click();
      await asking.waitFor();
      expect(await key.count()).toBe(1);
    }
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied the key.').waitFor();
    await expect.poll(() => page.keyboard.press('Escape').then(() => key.count())).toBe(0);
  });

  test('shows what a key was used for in the last week, or another period', async () => {
    await goTo('/staging/keys');
    await choose('the key Acme', 'Usage');
    await page.getByRole('row', { name: 'getPet 12 3 2 1' }).waitFor();
    await page.getByLabel('Period').selectOption('The last month');
    await expect.poll(() => staging.usageAsked.map(([, days]) => days)).toEqual([7, 30]);
    await page.getByRole('row', { name: 'getPet 12 3 2 1' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('looks at a name first, which adds nothing, and proposes its www and to switch it later', async () => {
    await goTo(DOMAIN_LIST);
    await lookAt('example.org');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The A record has a TTL of 24 hours. Lower it to 300 a day').waitFor();
    await dialog.getByText('Add CAA: name @, value 0 issue "amazon.com".').waitFor();
    expect(await page.getByLabel('Also add www.example.org').isChecked()).toBe(true);
    expect(await page.getByLabel('This domain is in use').isChecked()).toBe(true);
    expect(sent(staging, 'domains.add')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${dashboard.origin}${DOMAIN_LIST}/example.org`);
    const input = { project: 'petstore', domain: 'example.org', withWww: true, switchLater: true };
    expect(sent(staging, 'domains.add')).toMatchObject([{ input }]);
  });

  test('finds domains of a long list at once, and an idle minute transfers next to nothing', async () => {
    const domains = Array.from({ length: 2000 }, (_, number) => ({
      ...DOMAINS[0],
      domain: `d${number}.example.com`,
      unicode: `d${number}.example.com`,
      role: 'also_serves',
    }));
    staging.respond = command => (command === 'domains.summary' ? { domains, next: null } : undefined);
    await goTo('/staging/domains');
    await page.getByText('1–50 of 2,000 domains').waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(50);
    await page.keyboard.press('/');
    await page.keyboard.type('d1999 ');
    await page.getByText('1 domain', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'd1999.example.com', exact: true }).waitFor();
    await page.waitForURL('**/staging/domains?q=d1999');
    // The search keeps the space, so that another word can follow.
    await page.keyboard.type('exam');
    await page.waitForURL('**/staging/domains?q=d1999+exam');
    expect(await page.getByRole('searchbox').inputValue()).toBe('d1999 exam');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 2,000 domains').waitFor();
    const transferred = `performance.getEntriesByType('resource').reduce((sum, { transferSize }) => sum + transferSize, 0)`;
    const before = Number(await page.evaluate(transferred));
    await page.waitForTimeout(6_000);
    expect(Number(await page.evaluate(transferred)) - before).toBeLessThan(10_000);
  });

  test('shows a project by its display name, which can be changed, and finds it by that and by its id', async () => {
    let renamed = { ...PROJECTS[1], name: 'حديقة' as string | null };
    staging.respond = (command, input) => {
      if (command === 'projects.list') return { projects: [PROJECTS[0], renamed] };
      if (command === 'projects.rename') renamed = { ...renamed, name: input.name as string | null };
      return command.startsWith('projects.') && input.id === 'zoo' ? renamed : undefined;
    };
    await load('/staging/projects?q=zoo');
    await page.getByRole('link', { name: 'حديقة', exact: true }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, project, domain, key or action' }).fill('حديقة');
    await page.getByRole('option', { name: 'حديقة zoo' }).waitFor();
    await page.keyboard.press('Enter');
    await title('حديقة').waitFor();
    await page.getByRole('link', { name: 'General' }).click();
    for (const [typed, name] of [
      [' City Zoo ', 'City Zoo'],
      ['', null],
    ] as const) {
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByLabel('Display name').fill(typed);
      await page.keyboard.press('Enter');
      await title(name ?? 'zoo').waitFor();
      expect(sent(staging, 'projects.rename').at(-1)).toMatchObject({ input: { id: 'zoo', name } });
    }
    await goTo('/staging/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'ID', exact: true }).fill('zoo');
    await page.getByLabel('Display name').fill('City Zoo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent(staging, 'projects.create')).toMatchObject([{ input: { id: 'zoo', name: 'City Zoo' } }]);
  });

  test('Enter in the palette goes to what was typed, also before the search has responded', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'petstore Project' }).waitFor();
    await page.getByRole('option', { name: 'zoo Project' }).waitFor();
    const read = Promise.withResolvers();
    staging.respond = command => (command === 'projects.list' ? read.promise : undefined);
    await page.keyboard.type('zoo');
    await page.keyboard.press('Enter');
    await title('zoo').waitFor();
    read.resolve({ projects: PROJECTS });
  });

  test('adds, verifies, redirects and removes a domain and creates a key by key presses alone', async () => {
    const changes = new Map<string, object>();
    const current = () => DOMAINS.map(domain => ({ ...domain, ...changes.get(domain.domain) }));
    const outcomes: Readonly<Record<string, object>> = {
      'domains.verify': { status: 'verifying', checkedAt: null },
      'domains.redirect': { role: 'redirects', redirect: { to: 'www.example.com', status: 301 } },
      'domains.remove': { status: 'removing', role: null },
    };
    staging.respond = (command, { domain }) => {
      const outcome = outcomes[command];
      if (outcome) changes.set(String(domain), outcome);
      if (command === 'domains.summary') return { domains: current(), next: null };
      if (command === 'domains.check') return undefined;
      return command.startsWith('domains.') ? current().find(each => each.domain === domain) : undefined;
    };
    /** What has the focus, as a screen reader says it: `- button "Add domain"`. */
    const focused = async () => {
      if (await page.locator('main:focus').count()) return 'main';
      return (await page.locator(':focus').count()) === 0 ? 'nothing' : page.locator(':focus').ariaSnapshot();
    };
    /** Presses a key, upon which this has the focus: something with a name, or the page as a whole. */
    const press = async (key: string, expected: string | RegExp = /^(main|- \w+ ".+")/) => {
      await page.keyboard.press(key);
      await expect.poll(focused).toMatch(expected);
    };
    const tabTo = async (name: string) => {
      // Before the page has it, the last Tab would leave the page.
      const control = page.getByRole('link', { name }).or(page.getByRole('button', { name }));
      await control.first().waitFor();
      for (let presses = 0; !(await focused()).includes(`"${name}`); presses += 1) {
        expect(presses, `${name} is not reached`).toBeLessThan(60);
        await press('Tab');
      }
    };
    const find = async (typed: string, place: string) => {
      // Without a pause between them.
      await page.keyboard.press('Control+k');
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: place }).first().waitFor();
      await press('Enter', 'main');
      await title(place).waitFor();
    };

    await tabTo('petstore');
    await press('Enter', 'main');
    await tabTo('Add domain');
    await press('Enter', 'Domain or subdomain');
    await page.keyboard.type('app.example.com');
    await page.keyboard.press('Enter');
    await page.getByText('What happens next').waitFor();
    await press('Enter', 'main');
    await title('app.example.com').waitFor();
    await tabTo('Verify');
    await press('Space', 'Re-verify');

    await find('pets.example', 'pets.example.com');
    await tabTo('Actions for pets.example.com');
    await press('Enter', 'menuitem');
    await press('r', 'Redirect to');
    await press('Enter', 'combobox "To');
    await tabTo('Redirect');
    await press('Enter', 'Actions for pets.example.com');
    await page.getByText('Redirects to www.example.com', { exact: true }).waitFor();
    await press('Enter', 'menuitem');
    await press('End', 'Remove');
    await press('Escape', 'Actions for pets.example.com');
    await press('Space', 'menuitem');
    await press('ArrowUp', 'Remove');
    await press('Enter', 'Close');
    await tabTo('Remove domain');
    // The menu is gone with what could be done with the domain.
    await press('Enter', 'main');

    await find('keys', 'API keys');
    await tabTo('Create key');
    await press('Enter', 'Name');
    await page.keyboard.type('Acme');
    await press('Enter', 'Copy the key');
    await press('Escape', 'Copy the key');
    await tabTo('Close without the key');
    await press('Enter', 'Create key');
    const changed = staging.sent.flatMap(({ command, requestId }) => (requestId ? [command] : []));
    const ofDomains = ['add', 'verify', 'redirect', 'remove'].map(change => `domains.${change}`);
    expect(changed).toEqual([...ofDomains, 'keys.create']);
  });

  test('shows the records of a domain as they appear, and verifies it by itself unless that is switched off', async () => {
    const name = 'app.example.com';
    const added = DOMAINS.find(each => each.domain === name) as DomainReport;
    const created = new Set<string>();
    const changes = new Map<string, object>();
    staging.respond = command => {
      if (!command.startsWith('domains.')) return undefined;
      if (command === 'domains.verify') changes.set(name, { status: 'verifying' });
      const report = { ...added, ...changes.get(name) };
      const isThere = ({ purpose }: DomainRecord) => command === 'domains.look' && created.has(purpose);
      const found = { state: 'ok', isChecked: true, todo: null } as const;
      return {
        ...report,
        records: report.records.map(each => (isThere(each) ? { ...each, ...found } : each)),
      };
    };
    const lookAgain = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const verified = () => sent(staging, 'domains.verify');
    await load(`${DOMAIN_LIST}/${name}`);
    const automatic = page.getByRole('checkbox', { name: 'Verify as soon as the records are there' });
    await automatic.waitFor();
    expect(await automatic.isChecked()).toBe(true);

    created.add('traffic');
    await lookAgain();
    await page.getByText('Found', { exact: true }).waitFor();
    expect([await page.getByText('Found', { exact: true }).count(), verified()]).toEqual([1, []]);
    await automatic.click();
    for (const { purpose } of added.records) created.add(purpose);
    await lookAgain();
    await expect.poll(() => page.getByText('Found', { exact: true }).count()).toBe(added.records.length);
    expect(verified()).toEqual([]);
    await automatic.click();
    await button('Re-verify').waitFor();
    expect(verified()).toMatchObject([{ input: { project: 'petstore', domain: name } }]);
  });

  test('a response after its dialog was closed leaves the page as it is: a failure is told, and a success', async () => {
    let added = Promise.withResolvers();
    staging.respond = command => (command === 'projects.create' ? added.promise : undefined);
    const create = async () => {
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByRole('textbox', { name: /^ID/ }).fill('shop');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Working' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Search projects').fill('zo');
    };
    await create();
    added.reject(new CommandError('conflict', 'Project shop exists.'));
    const told = page.getByRole('alert').filter({ hasText: 'projects create shop in staging failed.' });
    await told.getByText('Project shop exists.').waitFor();
    expect(await page.getByLabel('Search projects').inputValue()).toBe('zo');
    await told.getByRole('button', { name: 'Dismiss' }).click();
    added = Promise.withResolvers();
    await create();
    added.resolve(PROJECTS[1]);
    await page.getByText('Created project shop.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a dialog says only what it knows, and waits for the rest', async () => {
    await goTo(`${DOMAIN_LIST}/pets.example.com`);
    await title('pets.example.com').waitFor();
    let looked: () => unknown = () => new Promise(() => {});
    staging.respond = command => (command === 'projects.show' ? looked() : undefined);
    await page.reload();
    await choose('pets.example.com', 'Redirect to …');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Looking up what would change …').waitFor();
    expect(await dialog.getByText('No other domain').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.reload();
    looked = () => {
      throw new CommandError('unavailable', "AWS didn't respond in time.");
    };
    await choose('pets.example.com', 'Remove …');
    await dialog.getByText("AWS didn't respond in time.").waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove domain' }).isDisabled()).toBe(true);
    staging.respond = undefined;
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('https://pets.example.com stops responding.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove domain' }).isDisabled()).toBe(false);
    await page.keyboard.press('Escape');
  });

  test('the palette finds keys, adds a domain where a deploy is to be recorded first, and verifies', async () => {
    const [deployed, idle] = PROJECTS;
    let zoo = { ...idle, plan: 'pro' };
    staging.respond = (command, { id }) => {
      if (command === 'projects.deployed') zoo = { ...deployed, id: 'zoo', plan: 'pro' };
      return command.startsWith('projects.') && id === 'zoo' ? zoo : undefined;
    };
    const act = async (typed: string, option: string) => {
      await page.keyboard.press('Control+k');
      await page.locator('input[aria-controls=places]').fill(typed);
      await page.getByRole('option', { name: option }).click();
    };
    await act('a2b2', 'Reporting job');
    await page.getByText('1 key', { exact: true }).waitFor();
    await act('create key', 'Create an API key');
    await page.getByRole('textbox', { name: /^Name/ }).waitFor();
    await page.keyboard.press('Escape');
    await act('add zoo', 'Add a domain to zoo');
    const dialog = page.getByRole('dialog', { name: 'Add domain' });
    await dialog.getByText("You publish a project's API").waitFor();
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Record a deploy' }).click();
    await dialog.getByText("You publish a project's API").waitFor({ state: 'detached' });
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(false);
    await page.keyboard.press('Escape');
    await act('verify app', 'Verify app.example.com');
    await title('app.example.com').waitFor();
    await page.getByText('Started verifying app.example.com.').waitFor();
    expect(sent(staging, 'domains.verify')).toMatchObject([{ input: { domain: 'app.example.com' } }]);
  });

  test('takes a domain from the project that has it, once the claim of this one is removed', async () => {
    let isRemoved = false;
    staging.respond = (command, input) => {
      if (command === 'domains.remove') isRemoved = true;
      if (command === 'domains.move') isRemoved = false;
      if (command !== 'domains.show' || !isRemoved || input.project === 'zoo') return undefined;
      throw new CommandError('not_found', 'There is no such domain.', { reason: 'domain_unknown' });
    };
    await goTo(`${DOMAIN_LIST}/taken.example.com`);
    await button('Move from zoo').click();
    await page.getByText('Moved taken.example.com').first().waitFor();
    const domain = 'taken.example.com';
    expect(sent(staging, 'domains.remove')).toMatchObject([{ input: { project: 'petstore', domain } }]);
    expect(sent(staging, 'domains.move')).toMatchObject([
      { input: { project: 'zoo', domain, to: 'petstore', alone: true } },
    ]);
  });

  test('copies what the fields of the DNS provider take, says which stays empty, and adds what can point here', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (what: string) => {
      await button(`Copy ${what}`).click();
      await page.getByText(`Copied ${what}.`).waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    };
    await goTo(`${DOMAIN_LIST}/example.dev`);
    const traffic = page.getByRole('row', { name: /^Traffic/ });
    await traffic.getByText('(leave empty)').waitFor();
    expect(await traffic.getByRole('button').count()).toBe(1);
    expect(await copied('the name of the ownership record')).toBe('_petstore-challenge');
    expect(await copied('the value of the ownership record')).toMatch(/^"petstore-\w+"$/);
    await goTo(`${DOMAIN_LIST}/example.net`);
    expect(await copied('the name of the traffic record')).toBe('@');
    expect(await copied('the value of the traffic record')).toMatch(/\.apps\.staging\.petstore\.example\.$/);
    staging.respond = command => (command === 'domains.add' ? STATES.live : undefined);
    await button('Add www.example.net').click();
    await title('www.example.com').waitFor();
    expect(sent(staging, 'domains.add')).toMatchObject([
      { input: { project: 'petstore', domain: 'www.example.net' } },
    ]);
  });

  test('copies the link to send to the owner, alone or in an email, says when the owner last asked, and ends the links', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { domain } = STATES.mismatch;
    await goTo(`${DOMAIN_LIST}/${domain}`);
    const buttons = page.getByRole('region', { name: 'DNS records' }).getByRole('button');
    await expect.poll(() => buttons.first().textContent()).toBe('Copy link');
    await buttons.first().click();
    await page.getByText(`Copied. Send it to whoever runs the DNS of ${domain}.`).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(LINK.url);
    await button('Copy as email').click();
    await page.getByText('Copied the email.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`\n\n${LINK.url}\n\n`);
    await page.getByText(/^the owner last asked \d+ minutes ago$/).waitFor();
    await choose(domain, 'End links …');
    await button('End links').click();
    await page.getByText(`Ended the links to the page of ${domain}.`).waitFor();
    expect(sent(staging, 'domains.unlink')).toMatchObject([{ input: { project: 'petstore', domain } }]);
    await goTo(`${DOMAIN_LIST}/${STATES.live.domain}`);
    await title(STATES.live.domain).waitFor();
    expect(await button('Copy link').count()).toBe(0);
  });

  test('keeps the DNS records of a removed domain, and the audit leads to them and to keys by name', async () => {
    const removal = {
      requestId: 'removal',
      at: new Date().toISOString(),
      by: 'unverified',
      claimedBy: 'sam',
      command: 'domains.remove',
      input: { project: 'petstore', domain: 'left.example.com' },
      result: { ...STATES.removing, domain: 'left.example.com' },
    };
    const revoked = {
      ...removal,
      requestId: 'revocation',
      command: 'keys.revoke',
      input: { id: KEYS[3]?.id },
    };
    staging.respond = command => (command === 'audit.list' ? { entries: [removal, revoked] } : undefined);
    await goTo(`${DOMAIN_LIST}/gone.example.com`);
    await page.getByRole('heading', { name: 'Delete these DNS records at Cloudflare' }).waitFor();
    await goTo('/staging/audit');
    await page.getByRole('link', { name: 'Revoked the API key for Lost laptop' }).waitFor();
    await page.getByRole('link', { name: 'Removed left.example.com' }).click();
    await title('left.example.com was removed').waitFor();
    await page.getByRole('button', { name: 'Copy all' }).waitFor();
    await page.getByRole('row', { name: /^Traffic.*CNAME/ }).waitFor();
  });

  test('takes the steps of an order', async () => {
    let [first, ...others] = ORDERS;
    staging.respond = command => {
      if (command === 'orders.list') return { orders: [first, ...others], hasMore: false };
      if (command === 'orders.approve' && first) first = { ...first, status: 'approved' };
      return command.startsWith('orders.') ? { id: 1 } : undefined;
    };
    await goTo('/staging/orders');
    const approve = page.locator('button[aria-label="Approve order 482961476313089"]');
    const before = await approve.boundingBox();
    await approve.click();
    await page.getByRole('dialog').waitFor();
    expect(await approve.boundingBox()).toEqual(before);
    await button('Approve order').click();
    // The button is gone with the step: the next one of the same order has the focus.
    await page.locator('button[aria-label="Deliver order 482961476313089"]:focus').waitFor();
    await page.locator('button[aria-label="Cancel order 482961476313089"]').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep order' }).click();
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByLabel('Pet').fill('482957181345792');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent(staging, 'orders.approve')).toMatchObject([{ input: { id: 482961476313089 } }]);
    expect(sent(staging, 'orders.place')).toMatchObject([{ input: { petId: 482957181345792 } }]);
  });

  describe('as time passes', () => {
    beforeAll(() => page.clock.install());
    // The clock stays installed.
    afterAll(async () => {
      await context.close();
      await openPage();
    });

    test('says how old it is while its environment is silent', async () => {
      const responded = Promise.withResolvers();
      staging.respond = () => responded.promise;
      const age = page.getByText(/^Updated \d+ s ago · updating …$/);
      await inTime(page, age.waitFor());
      staging.respond = undefined;
      responded.reject(new CommandError('network', 'No response came.'));
      await inTime(page, page.getByText(/^Updated .+ ago/).waitFor({ state: 'detached' }));
    });

    test('says when the credentials have ended, and goes on by itself when they are renewed', async () => {
      let isExpired = true;
      staging.respond = () => {
        if (!isExpired) return undefined;
        const advice = ['Sign in again, for example with: aws sso login'];
        throw new CommandError('expired_credentials', 'The AWS credentials have expired.', { advice });
      };
      const note = page.getByRole('alert').filter({ hasText: "AWS doesn't accept the credentials." });
      await inTime(page, note.getByText('aws sso login').waitFor());
      await project().waitFor();
      isExpired = false;
      await inTime(page, note.waitFor({ state: 'detached' }));
    });

    test('says when it cannot show a page of an environment of another version', async () => {
      await goTo(`${DOMAIN_LIST}/www.example.com`);
      await title('www.example.com').waitFor();
      staging.respond = command => (command === 'domains.show' ? { unknown: true } : undefined);
      await inTime(page, title("This page can't be shown").waitFor());
      await page.getByRole('link', { name: 'API keys' }).click();
      await title('API keys').waitFor();
      await page.goBack();
      await title("This page can't be shown").waitFor();
      staging.respond = undefined;
      await page.getByRole('button', { name: 'Reload' }).click();
      await title('www.example.com').waitFor();
    });

    test('asks once for the new link after a restart, and then leads to where it was', async () => {
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByLabel('Search keys').fill('Acme');
      await page.waitForURL('**/staging/keys?q=Acme');
      await dashboard.close();
      dashboard = await dashboardAt(dashboard.port, [staging, production]);
      const alert = page.getByRole('alert');
      await inTime(page, alert.getByText('This session has ended.').waitFor());
      expect(await alert.count()).toBe(1);
      expect(await alert.textContent()).toContain(
        'Open the latest link that petstore dashboard or npm start printed',
      );
      const link = page.getByRole('link', { name: 'Continue where you were' });
      expect(await link.count()).toBe(0);
      const newest = await context.newPage();
      await newest.goto(dashboard.url);
      await newest.getByRole('heading', { name: 'Projects' }).waitFor();
      await newest.close();
      await inTime(page, link.waitFor());
      // The host of this page is nothing to the new server.
      const reloaded = await context.newPage();
      expect((await reloaded.goto(page.url()))?.status()).toBe(421);
      await reloaded.getByText('The dashboard was restarted after this page was opened.').waitFor();
      await reloaded.goto(`${new URL(dashboard.fallbackUrl).origin}/staging/keys`);
      await reloaded.getByRole('heading', { name: "This browser isn't signed in" }).waitFor();
      await reloaded.close();
      await link.click();
      await page.waitForURL(`${dashboard.origin}/staging/keys?q=Acme`);
      expect(await page.getByLabel('Search keys').inputValue()).toBe('Acme');
      await page.getByText('1 key', { exact: true }).waitFor();
    });
  });
});

/**
 * Moves the clock of a page on until it shows what is waited for: the page asks its environment again every few seconds.
 * The clock must be installed.
 */
async function inTime(page: Page, shown: Promise<void>): Promise<void> {
  let hasEnded = false;
  const ended = shown.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) await page.clock.fastForward(1000);
  return ended;
}
