import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { needs } from '../../infra/local/testing/needs.ts';
import { findBrowser, launchOptionsOf, WITHOUT_SANDBOX } from '../find-browser.ts';

/** Keeps Chromium from calling Google's servers at every start, which a closed network refuses many times over. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  // The pages of the tests live for seconds: compiling their scripts well takes longer than running them as they are.
  '--js-flags=--no-opt',
  '--no-first-run',
  WITHOUT_SANDBOX,
];

/**
 * Every window of Chromium loads the pages of its address bar, which nobody sees here: twice the processor time of a small
 * page of ours. Of several arguments of this name the last counts, so the features that Playwright disables are
 * repeated: they upgrade addresses to HTTPS, ask Google's servers or delay the first frame.
 */
const UNUSED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Before the first test, the run puts into the variable CHROMIUM which browser it uses. */
export const NEEDS_BROWSER = needs(
  'a browser (on Debian: apt-get install chromium-headless-shell; or name one in the variable CHROMIUM)',
  Boolean(process.env.CHROMIUM),
);

/** No measure of speed: it ends a wait for something that never comes. Playwright's own 30 s are too few on a busy machine. */
const WAIT_LIMIT_MS = 120_000;

/** Starts the browser of this machine, headless, with further arguments. */
export async function startBrowser(...args: string[]): Promise<Browser> {
  const found = process.env.CHROMIUM || (await findBrowser());
  if (!found) throw new Error('No browser starts on this machine: name one in the variable CHROMIUM.');
  const browser = await chromium.launch({
    ...launchOptionsOf(found),
    args: [...QUIET, `--disable-features=${UNUSED_FEATURES}`, ...args],
    env: withoutProxy(),
    timeout: WAIT_LIMIT_MS,
  });
  browser.on('context', context => context.setDefaultTimeout(WAIT_LIMIT_MS));
  return browser;
}

/** The pages of tests are on this machine, also those that have the name of another one. */
function withoutProxy(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)));
}

/** What axe-core finds on a page as it is now, or within some of its elements: the rule and the elements, a line each. */
export async function axeFindings(
  page: Page,
  { within, ...options }: { within?: string | undefined; runOnly?: string[] } = {},
): Promise<string[]> {
  // Evaluated by the debugger, since the page's own policy forbids any other script.
  if (await page.evaluate('typeof axe === "undefined"')) {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    await page.evaluate(readFileSync(axe, 'utf8'));
  }
  // axe-core then describes one element of each rule that passed, instead of all of them.
  const violationsOnly = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const { passed, found }: { passed: number; found: string[] } = await page.evaluate(`
    axe.run(${within ? JSON.stringify(within) : 'document'}, ${violationsOnly}).then(({ passes, violations }) => ({
      passed: passes.length,
      found: violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join('; ')),
    }))
  `);
  return passed > 0 ? found : ['axe-core has checked nothing'];
}

/** A site that is neither the service nor a loopback name, so that browsers take it for an insecure origin. */
const HOST = 'shop.example';

interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface PageServer {
  readonly url: string;
  /** The argument that leads Chromium to this machine when it opens the site. */
  readonly resolverRule: string;
  close(): void;
}

/** Serves the files of a page, by path, from an origin of its own. */
export async function servePage(files: Readonly<Record<string, PageFile>>): Promise<PageServer> {
  const server = createServer(({ url = '' }, outgoing) => {
    const file = files[url];
    outgoing.writeHead(file ? 200 : 404, { 'Content-Type': file?.type ?? 'text/plain' });
    outgoing.end(file?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}/`,
    resolverRule: `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
