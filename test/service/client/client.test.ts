import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, type FaultProxy, startFaultProxy } from '../../fault-proxy.ts';
import { NEEDS_BROWSER, type PageServer, servePage, startBrowser } from '../browser.ts';
import { PROJECT } from '../running-service.ts';
import { sharedService } from '../shared-service.ts';

const run = promisify(execFile);
const service = sharedService();
const WALK = join(import.meta.dirname, 'walk.js');

/** The Node.js of this machine rather than the newer one that npm puts before it: the package supports older ones. */
const HOST_NODE =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(path => !path.includes('node_modules'))
    .map(path => join(path, 'node'))
    .find(path => existsSync(path)) ?? process.execPath;

const refusal = (status: number, code: string) => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'Retry-After': '1',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After',
  },
  body: JSON.stringify({ code, message: 'A fault that the test has put in.', status }),
});

const FAULTS: readonly Fault[] = [
  { name: 'lost before', lost: 'before' },
  { name: 'lost after', lost: 'after' },
  { name: 'broken off', lost: 'after', instead: 'half of the response' },
  { name: 'unavailable', lost: 'before', instead: refusal(503, 'unavailable') },
  { name: 'rate limited', lost: 'before', instead: refusal(429, 'rate_limited') },
];

let project: ReturnType<typeof projectWithClient>;
let proxy: FaultProxy;
beforeAll(async () => {
  project = projectWithClient();
  let requests = 0;
  proxy = await startFaultProxy({
    upstream: () => service.staging.url,
    // One request in four meets a fault, by a multiplicative hash: in an order that is the same in every run.
    choose({ method }) {
      const draw = (Math.imul(++requests, 2654435761) >>> 0) / 2 ** 32;
      return method === 'OPTIONS' ? undefined : FAULTS[Math.floor(draw * 4 * FAULTS.length)];
    },
  });
});
afterAll(() => {
  project?.remove();
  proxy?.stop();
});

const README = readFileSync(join(PROJECT, 'infra/client/README.md'), 'utf8');

/** What the examples of the README write, as the comments in them say. */
const README_OUTPUT = Array.from(README.matchAll(/^ *\/\/ prints: (.*)$/gm), ([, text]) => text);

/** The service behind faults, and the animals to add there. */
const walkTask = (prefix: string, count: number) => ({
  url: service.staging.url.replace(new URL(service.staging.url).origin, proxy.endpoint),
  apiKey: service.staging.apiKey,
  prefix,
  count,
});
const walked = (count: number) => ({
  created: count,
  listed: count,
  distinct: count,
  exact: count,
  inOrder: true,
  isPaged: true,
});

describe('the packed client', () => {
  test('has its module, declarations, README and license, and nothing else', () => {
    expect(project.packed.filter(name => !/^dist\/[a-z-]+\.d\.ts$/.test(name))).toEqual([
      'LICENSE',
      'README.md',
      'dist/petstore-client.js',
      'package.json',
    ]);
  });

  test('has at most 5 KB, minified and compressed, and no dependencies', () => {
    const { code } = transformSync(project.module, { minify: true, format: 'esm' });
    expect(gzipSync(code).length).toBeLessThan(5000);
    const manifest = readFileSync(join(project.folder, 'node_modules/petstore-client/package.json'), 'utf8');
    expect(manifest).not.toMatch(/dependencies/i);
  });

  test('has types that the examples of its README compile with, and that refuse what the document does', async () => {
    const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
    ];
    const program = readmeProgram(service.staging);
    const sources = {
      'example.ts': program,
      'status.ts': program.replace("'pending'", "'lost'"),
      'number.ts': program.replace('9007199254740993n', '9007199254740993'),
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(project.folder, name), text);
    const { stdout } = await run(
      process.execPath,
      [tsc, ...options, '--types', '', ...Object.keys(sources)],
      {
        cwd: project.folder,
      },
    ).catch(failed => failed);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^number\.ts\(.*'number' is not assignable to type 'bigint'/),
      expect.stringMatching(/^status\.ts\(.*'"lost"' is not assignable to type/),
    ]);
  });
});

describe('in Node.js', () => {
  test('runs the examples of its README', async () => {
    writeFileSync(join(project.folder, 'example.js'), readmeProgram(service.staging));
    const { stdout, stderr } = await run(HOST_NODE, ['example.js'], { cwd: project.folder });
    expect(stdout.trim().split('\n')).toEqual(README_OUTPUT);
    expect(stderr).toBe('');
  });

  test('adds and lists 250 pets through faults, none of them twice, with all digits', async () => {
    copyFileSync(WALK, join(project.folder, 'walk.js'));
    const task = JSON.stringify(walkTask('Walker in Node', 250));
    const script = `import { walk } from './walk.js'; console.log(JSON.stringify(await walk(${task})));`;
    const { stdout } = await run(HOST_NODE, ['--input-type=module', '--eval', script], {
      cwd: project.folder,
    });
    expect(JSON.parse(stdout)).toEqual(walked(250));
    expect(proxy.faults.size).toBe(FAULTS.length);
  });
});

describe('in Chromium, on a page of another origin without TLS', NEEDS_BROWSER, () => {
  let pages: PageServer;
  let browser: Browser;
  beforeAll(async () => {
    const script = (body: string) => ({ type: 'text/javascript', body });
    const imports = { 'petstore-client': '/petstore-client.js' };
    const html = `<!doctype html><title>Shop</title><script type="importmap">${JSON.stringify({ imports })}</script>`;
    pages = await servePage({
      '/': { type: 'text/html', body: html },
      '/petstore-client.js': script(project.module),
      '/example.js': script(readmeProgram(service.staging)),
      '/walk.js': script(readFileSync(WALK, 'utf8')),
    });
    browser = await startBrowser(pages.resolverRule);
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  async function openPage(): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(pages.url);
    expect(await page.evaluate('isSecureContext')).toBe(false);
    return page;
  }

  test('runs the examples of its README', async () => {
    const page = await openPage();
    const written: string[] = [];
    page.on('console', message => {
      if (message.type() === 'log') written.push(message.text());
    });
    await page.evaluate("import('/example.js').then(() => {})");
    expect(written).toEqual(README_OUTPUT);
  });

  test('adds and lists 50 pets through faults, none of them twice, with all digits', async () => {
    const page = await openPage();
    const task = JSON.stringify(walkTask('Walker in Chromium', 50));
    expect(await page.evaluate(`import('/walk.js').then(({ walk }) => walk(${task}))`)).toEqual(walked(50));
  });
});

/** A project of somebody else in which `npm install <tarball>` was run. */
function projectWithClient() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  // Nothing is taken from the network, or from the home folder, which may not be writable.
  const npm = (cwd: string, ...command: string[]) =>
    execFileSync('npm', [...command, '--offline', '--cache', join(folder, 'cache')], { cwd, stdio: 'pipe' });
  npm(PROJECT, 'pack', '--workspace', 'infra/client', '--pack-destination', folder);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  npm(folder, 'install', './petstore-client-1.0.0.tgz');
  const installed = join(folder, 'node_modules/petstore-client');
  return {
    folder,
    /** The files of the tarball. */
    packed: readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => relative(installed, join(parentPath, name)))
      .toSorted(),
    /** The module that browsers load. */
    module: readFileSync(join(installed, 'dist/petstore-client.js'), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The examples of the README as one program, with the address and the key of a running service put in. */
function readmeProgram({ url, apiKey }: { url: string; apiKey: string }): string {
  const blocks = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:3000/staging/v1', url)
    .replaceAll('pet_test_…', apiKey);
}
