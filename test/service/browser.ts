import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Keeps Chromium from calling Google's servers at every start, which a closed network refuses many times over. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  // Chromium's sandbox cannot start as root, which containers run as.
  '--no-sandbox',
];

const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(path => existsSync(path));

/** A developer without Chromium can run all other tests; a CI run must have one. */
export const isWithoutBrowser = executablePath === undefined && !process.env.CI;

/** Starts the Chromium of this machine, headless, with further arguments. */
export function startBrowser(...args: string[]): Promise<Browser> {
  if (!executablePath) {
    throw new Error(
      'There is no Chromium on this machine: apt-get install chromium, or name one in the variable CHROMIUM.',
    );
  }
  return chromium.launch({ executablePath, args: [...QUIET, ...args] });
}
