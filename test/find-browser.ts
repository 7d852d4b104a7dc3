import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { LaunchOptions } from 'playwright-core';
import { cachedFolder } from '../infra/tools/build-cache.ts';

const PROJECT = resolve(import.meta.dirname, '..');

/**
 * The browsers of the machine, best first. The headless shell is Chromium without its windows: it renders the same pages in
 * three quarters of the processor time. The last one is Chrome wherever its installer puts it, which Playwright knows for
 * every system.
 */
const OF_THE_MACHINE = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  'chrome',
];

/** Chromium's sandbox cannot start as root, which containers run as. */
export const WITHOUT_SANDBOX = '--no-sandbox';

/** No measure of speed: a busy machine must not seem to have no browser. */
const START_LIMIT_MS = 120_000;

/** A browser is named by the path of its executable or, for example `chrome`, by a channel of Playwright. */
export function launchOptionsOf(browser: string): LaunchOptions {
  return browser.includes('/') ? { executablePath: browser } : { channel: browser };
}

/**
 * The browser that pages are tested in: the one that the variable CHROMIUM names, else one of the machine's that starts,
 * else the one that `npm ci` brings. Undefined if none of these starts.
 */
export async function findBrowser(report: (line: string) => void = () => {}): Promise<string | undefined> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) {
    const fault = await faultOf(CHROMIUM);
    if (fault) throw new Error(`The variable CHROMIUM is ${CHROMIUM}, which doesn't start: ${fault}`);
    return CHROMIUM;
  }
  for (const browser of OF_THE_MACHINE) {
    if (browser.includes('/') && !existsSync(browser)) continue;
    if ((await faultOf(browser)) === undefined) return browser;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const browser = await browserOfPackage();
    const fault = await faultOf(browser);
    if (fault === undefined) return browser;
    report(`The browser of @sparticuz/chromium doesn't start on this machine: ${fault}`);
  } catch (error) {
    report(`The browser of @sparticuz/chromium can't be unpacked: ${(error as Error).message}`);
  }
  return undefined;
}

/** Why a browser doesn't start; undefined if it does. */
async function faultOf(browser: string): Promise<string | undefined> {
  // Loading it takes most of a second, which every run would pay that has this module in its configuration.
  const { chromium } = await import('playwright-core');
  try {
    const options = { args: [WITHOUT_SANDBOX], timeout: START_LIMIT_MS };
    await (await chromium.launch({ ...launchOptionsOf(browser), ...options })).close();
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [first = ''] = message.split('\n');
    return /\[err\] (.+)/.exec(message)?.[1] ?? first;
  }
}

const PACKAGE = 'node_modules/@sparticuz/chromium/package.json';

/** The package unpacks into the temporary folder, and takes for its own whatever lies there. */
const UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/** Otherwise it doesn't unpack the libraries that a machine without a desktop lacks. */
const AS_ON_AWS = { CODEBUILD_BUILD_IMAGE: 'nodejs24' };

/** Starts the browser with its own libraries, and with its own font beside those of the machine. */
const LAUNCHER = `#!/bin/sh
folder=\${0%/*}
LD_LIBRARY_PATH=$folder/al2023/lib FONTCONFIG_FILE=$folder/fonts.conf exec "$folder/chromium" "$@"
`;

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`;

/** Unpacks the package once for all runs, into a folder that only this user can write to. */
async function browserOfPackage(): Promise<string> {
  const { folder, isComplete, unfinished, complete } = cachedFolder('browsers', [PACKAGE]);
  if (isComplete) return join(folder, 'launcher');
  mkdirSync(unfinished, { mode: 0o700 });
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], {
    cwd: PROJECT,
    env: { ...process.env, ...AS_ON_AWS, TMPDIR: unfinished },
  });
  writeFileSync(join(unfinished, 'fonts.conf'), FONTS);
  writeFileSync(join(unfinished, 'launcher'), LAUNCHER, { mode: 0o700 });
  return join(complete(), 'launcher');
}
