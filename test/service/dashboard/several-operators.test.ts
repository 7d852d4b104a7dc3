import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, startBrowser } from '../browser.ts';
import { done } from '../operator.ts';
import { sharedService } from '../shared-service.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

const service = sharedService();

const PROJECT = 'dashboard-team';
const DOMAIN = 'www.dashboard-team.com';

describe.skipIf(isWithoutBrowser)('two dashboards and the command at once', () => {
  let browser: Browser;
  let command: ChildProcess;
  let pages: readonly Page[];
  let other: OpenDashboard;
  beforeAll(async () => {
    await done(service.awsEndpoint, 'staging', 'projects.create', { id: PROJECT, plan: 'pro' });
    await done(service.awsEndpoint, 'staging', 'projects.deployed', { id: PROJECT });
    browser = await startBrowser();
    const { child, url } = await petstoreDashboard();
    command = child;
    const own = await openDashboard(browser, service.dashboard);
    other = await openDashboard(browser, url);
    pages = [own.page, other.page];
    for (const { goTo } of [own, other]) await goTo(`/staging/projects/${PROJECT}/domains`);
  });
  afterAll(async () => {
    await browser?.close();
    command?.kill('SIGTERM');
  });

  /** `petstore dashboard --local`, which prints its address as one line of JSON. */
  async function petstoreDashboard() {
    const launcher = resolve(import.meta.dirname, '../../../infra/petstore.js');
    const child = spawn(process.execPath, [launcher, 'dashboard', '--local', '--no-open', '--port', '0'], {
      env: { ...process.env, PETSTORE_RUNNING_FILE: service.runningFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url) return { child, url };
    }
    throw new Error('The dashboard printed no address.');
  }

  const change = (name: string, fields: object) => done(service.awsEndpoint, 'staging', name, fields);

  /** Starts to count how often a page asks for the domains. It asks every 1.4 seconds, by the test of polling.ts. */
  const countReads = (page: Page) => {
    let reads = 0;
    page.on('request', request => {
      if (request.url().endsWith('/commands/domains.list')) reads += 1;
    });
    return () => reads;
  };

  test('each shows with its next read what another has changed', async () => {
    await change('domains.add', { project: PROJECT, domain: DOMAIN });
    const reads = await Promise.all(
      pages.map(async page => {
        const count = countReads(page);
        await page.getByRole('heading', { name: DOMAIN }).waitFor();
        return count();
      }),
    );
    // The first one may have been answered before the change, the second may be sent before the first is drawn.
    expect(Math.max(...reads)).toBeLessThanOrEqual(2);

    const [own, second] = pages;
    await own?.getByRole('button', { name: `Menu of ${DOMAIN}` }).click();
    await own?.getByRole('menuitem', { name: 'Remove' }).click();
    const removed = own?.waitForResponse(answer => answer.url().endsWith('/commands/domains.remove'));
    await own?.getByRole('button', { name: 'Remove domain' }).click();
    await removed;
    const readsOfSecond = second ? countReads(second) : () => 0;
    await second?.getByText('Being removed').waitFor();
    expect(readsOfSecond()).toBeLessThanOrEqual(2);
  });

  test('a page that was left open says that its dashboard was stopped', async () => {
    command.kill('SIGTERM');
    await once(command, 'exit');
    await other.page.getByRole('alert').getByText('The dashboard was stopped.').waitFor();
    expect(await other.page.getByRole('heading', { level: 1 }).textContent()).toBe(PROJECT);
  });
});
