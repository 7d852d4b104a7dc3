import type { DomainReport, ProjectView } from '../../../../shared/operator/contract.ts';
import { listProjectDomains } from '../../domains/domain-session.ts';
import { Skipped } from '../check.ts';
import { broken, expectRedirect, expectUnauthorized } from './expectations.ts';
import type { HttpCheck, HttpParts } from './http-checks.ts';
import type { Response } from './smoke-client.ts';

/** The custom domains that are live, of every project. Their owners may point them elsewhere, so they get no API key. */
export const DOMAIN_CHECKS: readonly HttpCheck[] = [
  {
    name: 'live custom domains serve their projects',
    async run({ send, session, apiId }, note) {
      const serving = await domainsOf(session, ({ role }) => role === 'primary' || role === 'also_serves');
      if (serving.length === 0) throw new Skipped('no project has a live domain');
      for (const served of serving) {
        const { project, domain } = served;
        await whileInRole(session, served, async () => {
          if (project.apiId === apiId)
            expectUnauthorized(await send(`GET https://${domain}/v1/pets?limit=1`));
          else expectApiGateway(await send(`GET https://${domain}/`));
        });
      }
      note(`${namesOf(serving)}${dnsNote(session)}`);
    },
  },
  {
    name: 'live redirecting domains redirect',
    async run({ send, session }, note) {
      const redirecting = await domainsOf(session, ({ role }) => role === 'redirects');
      if (redirecting.length === 0) throw new Skipped('no redirecting domain is live');
      for (const redirected of redirecting) {
        const { domain, redirect } = redirected;
        await whileInRole(session, redirected, async () => {
          const response = await send(`GET https://${domain}/v1/pets?limit=1`);
          expectRedirect(response, redirect?.status, `https://${redirect?.to}`);
        });
      }
      note(`${namesOf(redirecting)}${dnsNote(session)}`);
    },
  },
];

type DomainOfProject = Omit<DomainReport, 'project'> & { readonly project: ProjectView };

async function domainsOf(
  session: HttpParts['session'],
  isWanted: (domain: DomainReport) => boolean,
): Promise<DomainOfProject[]> {
  return (await listProjectDomains(session)).flatMap(({ project, domains }) =>
    domains.filter(isWanted).map(domain => ({ ...domain, project })),
  );
}

/** What a request found counts only if the domain still has its role: somebody may have removed it meanwhile. */
async function whileInRole(
  session: HttpParts['session'],
  { project, domain, role }: DomainOfProject,
  request: () => Promise<void>,
): Promise<void> {
  try {
    await request();
  } catch (error) {
    const present = await session.read('domains.show', { project: project.id, domain }).catch(failure => {
      if (failure.code === 'not_found') return undefined;
      throw error;
    });
    if (present?.role === role) throw error;
  }
}

/** On one machine the requests go straight to its edge, wherever DNS leads. */
function dnsNote({ target }: HttpParts['session']): string {
  return target.edge === undefined ? '' : ' (at the edge of this machine; DNS not checked)';
}

/** Such as `petstore: www.example.com, example.com; zoo: www.example.net`. */
function namesOf(domains: readonly DomainOfProject[]): string {
  return [...Map.groupBy(domains, ({ project }) => project.id)]
    .map(([project, ofProject]) => `${project}: ${ofProject.map(({ domain }) => domain).join(', ')}`)
    .join('; ');
}

/**
 * What the API of another project returns is not known here. For a name without a mapping API Gateway itself responds,
 * with 403 and only a message.
 */
function expectApiGateway(response: Response): void {
  const { status, headers, text } = response;
  const isGateway = headers['x-amzn-requestid'] !== undefined || headers['x-amz-apigw-id'] !== undefined;
  const isUnmapped = status === 403 && /^\{"message": ?"[^"]*"\}$/.test(text);
  if (!isGateway || isUnmapped || status >= 500) {
    throw broken(response, 'a response of the API that the domain is mapped to', `${status} ${text}`);
  }
}
