import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CONTENT_SECURITY_POLICY, referencePage } from '../../../shared/docs/reference-page.ts';

const page = referencePage({
  basePath: '/staging/v1',
  renderer: 'scalar-1.js',
  operationsWithoutTryOut: ['GET/store/orders'],
});

test('the page names the document and the renderer of its own environment', () => {
  expect(page).toContain('&quot;url&quot;:&quot;/staging/v1/openapi.json&quot;');
  expect(page).toContain('<script src="/staging/v1/docs/scalar-1.js"></script>');
});

test('the page links the document until its scripts have run', () => {
  expect(page).toMatch(/<main.*<a href="\/staging\/v1\/openapi.json">.*<\/main>/s);
});

test('the renderer loads no fonts, sends no telemetry and offers no services of its vendor', () => {
  const [, text = ''] = /data-configuration="([^"]+)"/.exec(page) ?? [];
  expect(JSON.parse(text.replaceAll('&quot;', '"'))).toMatchObject({
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
  });
});

test('the try-out button of an operation without try-out is hidden', () => {
  expect(page).toContain('section[id$="/GET/store/orders"] .show-api-client-button { display: none; }');
});

test('the base path is escaped', () => {
  const odd = referencePage({
    basePath: '/"><script>',
    renderer: 'scalar-1.js',
    operationsWithoutTryOut: [],
  });
  expect(odd).not.toContain('"><script>');
});

test('the policy allows the script of the page, and no other inline script or script from another origin', () => {
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(CONTENT_SECURITY_POLICY).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}';`);
  expect(CONTENT_SECURITY_POLICY).not.toMatch(/script-src[^;]*unsafe-inline|unsafe-eval|https?:|\*/);
});
