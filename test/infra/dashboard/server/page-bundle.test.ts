import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageFiles } from '../../../../infra/dashboard/server/page-bundle.ts';

test('the script is under 60 KB gzipped; script and style name no other host, and nothing that a browser lacks', async () => {
  const files = await pageFiles();
  const [script = '', style] = ['page.js', 'page.css'].map(name =>
    String(gunzipSync(files.get(name)?.compressed ?? '')),
  );
  expect(files.get('page.js')?.compressed.length).toBeLessThan(60_000);
  expect(script.length).toBeGreaterThan(10_000);
  // A browser has no process: code of the command that reads it cannot be part of the page.
  expect(script).not.toMatch(/\bprocess\b\./);
  const hosts = script.match(/https?:\/\/[a-z0-9.-]+/g) ?? [];
  expect(hosts.filter(host => host !== 'http://www.w3.org')).toEqual([]);
  expect(style).not.toMatch(/url\(/);
});
