import { SERVICE_PROJECT_ID } from '../../../../shared/projects/service-project.ts';
import type { Check } from './check.ts';
import { Skipped } from './check-outcomes.ts';
import { broken, expectHeader, expectList } from './expectations.ts';

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
        const answer = await send(`GET https://${domain}/v1/pets?limit=1`, { key: null });
        if (answer.status !== redirect?.status) {
          throw broken(answer, String(redirect?.status), `${answer.status} ${answer.text}`);
        }
        expectHeader(answer, 'location', `https://${redirect.to}/v1/pets?limit=1`);
      }
    },
  },
];
