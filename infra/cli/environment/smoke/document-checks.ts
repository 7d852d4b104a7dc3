import type { Check } from './check.ts';
import { broken, expectHeader, expectObject, expectStatus } from './expectations.ts';

/** The documents, which need no API key. */
export const DOCUMENT_CHECKS: readonly Check[] = [
  {
    name: 'the OpenAPI document is served',
    async run({ send }) {
      const answer = await send('GET /openapi.json', { key: null });
      const { openapi, paths } = expectObject(answer, 200);
      const isDocument = typeof openapi === 'string' && typeof paths === 'object' && paths !== null;
      if (!isDocument) throw broken(answer, 'an OpenAPI document', answer.text);
    },
  },
  {
    name: 'the reference page is served, with its renderer',
    async run({ send }) {
      const page = await send('GET /docs', { key: null });
      expectStatus(page, 200);
      expectHeader(page, 'content-type', /^text\/html/);
      expectHeader(page, 'content-security-policy', /default-src 'none'/);
      const [, source] = /<script src="[^"]*?(\/docs\/[^"/]+\.js)"/.exec(page.text) ?? [];
      if (source === undefined) throw broken(page, 'a page that loads its renderer', page.text);
      // As browsers ask for it.
      const headers = { 'Accept-Encoding': 'gzip, deflate, br' };
      const renderer = await send(`GET ${source}`, { key: null, headers });
      expectStatus(renderer, 200);
      expectHeader(renderer, 'content-type', /^text\/javascript/);
      expectHeader(renderer, 'cache-control', /immutable/);
    },
  },
];
