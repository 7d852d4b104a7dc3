import { SERVICE_PROJECT_ID } from '../../../../shared/projects/project-choices.ts';
import {
  broken,
  type Check,
  expectHeader,
  expectList,
  expectObject,
  expectStatus,
  Skipped,
} from './check.ts';
import { LIST_CHECKS, REFUSAL_CHECKS } from './every-operation-checks.ts';
import { GATEWAY_CHECKS } from './gateway-checks.ts';
import { OPERATION_CHECKS } from './operation-checks.ts';

/** The documents, which need no API key. */
const DOCUMENT_CHECKS: readonly Check[] = [
  {
    name: 'the OpenAPI document is served',
    async run({ send }) {
      const response = await send('GET /openapi.json', { key: null });
      const { openapi, paths } = expectObject(response, 200);
      const isDocument = typeof openapi === 'string' && typeof paths === 'object' && paths !== null;
      if (!isDocument) throw broken(response, 'an OpenAPI document', response.text);
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

/** The custom domains of the environment that are live. */
export const DOMAIN_CHECKS: readonly Check[] = [
  {
    name: 'live custom domains serve the interface',
    async run({ send, session }) {
      const { domains } = await session.read('domains.list', { project: SERVICE_PROJECT_ID });
      const serving = domains.filter(({ role }) => role === 'primary' || role === 'also_serves');
      if (serving.length === 0) throw new Skipped('no custom domain is live');
      for (const { domain } of serving) expectList(await send(`GET https://${domain}/v1/pets?limit=1`));
    },
  },
  {
    name: 'live redirecting domains redirect',
    async run({ send, session }) {
      const { domains } = await session.read('domains.list', { project: SERVICE_PROJECT_ID });
      const redirecting = domains.filter(({ role }) => role === 'redirects');
      if (redirecting.length === 0) throw new Skipped('no redirecting domain is live');
      for (const { domain, redirect } of redirecting) {
        const response = await send(`GET https://${domain}/v1/pets?limit=1`, { key: null });
        if (response.status !== redirect?.status) {
          throw broken(response, String(redirect?.status), `${response.status} ${response.text}`);
        }
        expectHeader(response, 'location', `https://${redirect.to}/v1/pets?limit=1`);
      }
    },
  },
];

/** Everything that must hold after a deploy, in the order in which it is checked. */
export const CHECKS: readonly Check[] = [
  ...OPERATION_CHECKS,
  ...LIST_CHECKS,
  ...REFUSAL_CHECKS,
  ...GATEWAY_CHECKS,
  ...DOCUMENT_CHECKS,
  ...DOMAIN_CHECKS,
];
