import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell is Chromium without its windows: it renders the same pages in three quarters of the processor time. */
const CHROMIUM = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

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
  // Chromium's sandbox cannot start as root, which containers run as.
  '--no-sandbox',
];

/**
 * Every window of Chromium loads the pages of its address bar, which nobody sees here: twice the processor time of a small
 * page of ours. Of several arguments of this name the last counts, so the features that Playwright disables are
 * repeated: they upgrade addresses to HTTPS, ask Google's servers or delay the first frame.
 */
const UNUSED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(path => existsSync(path));

/** A developer without Chromium can run all other tests; a CI run must have one. */
export const isWithoutBrowser = executablePath === undefined && !process.env.CI;

/** No measure of speed: it ends a wait for something that never comes. Playwright's own 30 s are too few on a busy machine. */
const WAIT_LIMIT_MS = 120_000;

/** Starts the Chromium of this machine, headless, with further arguments. */
export async function startBrowser(...args: string[]): Promise<Browser> {
  if (!executablePath) {
    throw new Error(
      'There is no Chromium on this machine: apt-get install chromium-headless-shell, or name one in the variable CHROMIUM.',
    );
  }
  const browser = await chromium.launch({
    executablePath,
    args: [...QUIET, `--disable-features=${UNUSED_FEATURES}`, ...args],
    timeout: WAIT_LIMIT_MS,
  });
  browser.on('context', context => context.setDefaultTimeout(WAIT_LIMIT_MS));
  return browser;
}
