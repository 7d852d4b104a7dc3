import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serveDashboard } from '../../../infra/dashboard/server/start-dashboard.ts';
import { startBrowser } from '../../service/browser.ts';
import { DIALOGS, openDialog } from './shown-dialogs.ts';
import { STATES } from './shown-domains.ts';
import { standInEnvironment } from './test-dashboard.ts';

/**
 * npm run screenshots [folder] [names]: the main pages, every dialog and every state of a domain, or those whose picture's name is like a
 * pattern (`ready|.*-tablet`), with the data of shown-data.ts and shown-domains.ts.
 */
const FOLDER = resolve(process.argv[2] ?? '.cache/screenshots');
const NAMES = new RegExp(process.argv[3] ?? '');

const DESKTOP = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

const LOOKS = {
  light: { ...DESKTOP, colorScheme: 'light' },
  dark: { ...DESKTOP, colorScheme: 'dark' },
  phone: { ...PHONE, colorScheme: 'light' },
  tablet: { viewport: { width: 820, height: 1180 }, colorScheme: 'light' },
  wide: { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
} as const;

const DOMAINS = '/staging/projects/petstore/domains';

/** The pages by the name of their picture. */
const PAGES = {
  projects: '/staging/projects',
  domains: DOMAINS,
  ...Object.fromEntries(
    Object.entries(STATES).map(([state, { domain }]) => [`domain-${state}`, `${DOMAINS}/${domain}`]),
  ),
  'no-domains': '/staging/projects/shop/domains',
  'all-domains': '/staging/domains',
  project: '/staging/projects/petstore',
  keys: '/staging/keys',
  orders: '/staging/orders',
  audit: '/staging/audit',
  production: '/production/projects',
};

mkdirSync(FOLDER, { recursive: true });
const dashboard = await serveDashboard(
  [standInEnvironment('staging', { isLocal: true }), standInEnvironment('production', { isLocal: true })],
  { port: 0, canMove: false },
);
const { origin } = new URL(dashboard.url);
const browser = await startBrowser();
for (const [look, options] of Object.entries(LOOKS)) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(dashboard.url);
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  for (const [name, path] of Object.entries(PAGES)) {
    if (!NAMES.test(`${name}-${look}`)) continue;
    await page.goto(`${origin}${path}`);
    await page.locator('main h1, main h2').first().waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true });
  }
  for (const [name, [path, ...steps]] of Object.entries(DIALOGS)) {
    if (!NAMES.test(`dialog-${name}-${look}`)) continue;
    await page.goto(`${origin}${path}`);
    await page.locator('main h1, main h2').first().waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
    await openDialog(page, steps);
    await page.screenshot({ path: join(FOLDER, `dialog-${name}-${look}.png`) });
  }
  await context.close();
}

await browser.close();
await dashboard.close();
process.stdout.write(`${FOLDER}\n`);
