import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageFiles } from '../../../../infra/dashboard/server/page-bundle.ts';

test('the script is under 60 KB gzipped, and names no other host', async () => {
  const files = await pageFiles();
  expect([...files.keys()].toSorted()).toEqual(['icon.svg', 'page.css', 'page.js']);
  const compressed = files.get('page.js')?.compressed ?? Buffer.alloc(0);
  expect(compressed.length).toBeLessThan(60_000);
  const script = gunzipSync(compressed);
  expect(script.length).toBeGreaterThan(10_000);
  // A browser has no process: code of the command that reads it cannot be part of the page.
  expect(String(script)).not.toMatch(/\bprocess\b\./);
  const hosts = String(script).match(/https?:\/\/[a-z0-9.-]+/g) ?? [];
  expect(hosts.filter(host => host !== 'http://www.w3.org')).toEqual([]);
  expect(String(gunzipSync(files.get('page.css')?.compressed ?? ''))).not.toMatch(/url\(/);
});
