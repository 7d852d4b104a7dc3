import { Construct } from 'constructs';
import { SETUP_ROUTE } from '../../shared/setup/link.ts';
import type { DomainFlow } from './domain-flow.ts';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';

interface SetupParts {
  readonly domains: Domains;
  readonly domainFlow: DomainFlow;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
}

/** Pages look three times a minute. A flood of strangers throttles these pages, and nothing else. */
const SHOW_THROTTLE = { ratePerSecond: 10, burst: 20 };
const ASK_THROTTLE = { ratePerSecond: 2, burst: 20 };

/** The pages for those who run the DNS of domains: open to everybody who has the link of one. */
export class Setup extends Construct {
  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { domains, domainFlow, projects, publicApi }: SetupParts,
  ) {
    super(scope, id);
    const page = (name: string, path: string) =>
      new ServiceFunction(this, name, path, { environment })
        .grantTable(domains.table, 'DOMAINS_TABLE', ['Query'])
        .grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem']);
    const reason = 'Whoever runs the DNS of a domain has no API key: the link is the key.';
    publicApi.openRoute(
      { method: 'GET', path: SETUP_ROUTE },
      page('ShowSetup', 'setup/show-setup'),
      reason,
      SHOW_THROTTLE,
    );
    const ask = page('AskForLook', 'setup/ask-for-look').grantTable(domains.table, 'DOMAINS_TABLE', [
      'PutItem',
    ]);
    domainFlow.grantStart(ask);
    publicApi.openRoute({ method: 'POST', path: SETUP_ROUTE }, ask, reason, ASK_THROTTLE);
  }
}
