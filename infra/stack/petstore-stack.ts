import { Annotations, DefaultStackSynthesizer, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ApiKeys } from './api-keys.ts';
import { Docs } from './docs.ts';
import { DomainFlow } from './domain-flow.ts';
import { DomainMail } from './domain-mail.ts';
import { DomainChecks, DomainEvents } from './domain-schedules.ts';
import { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { Operator } from './operator.ts';
import { Orders } from './orders.ts';
import { Pets } from './pets.ts';
import { Projects } from './projects.ts';
import { PublicApi } from './public-api.ts';
import { Redirects } from './redirects.ts';
import { spreadControlPlaneCalls } from './service-api.ts';
import { Setup } from './setup.ts';
import { throttleApis } from './throttles.ts';

/** The whole service, deployed once per environment. The environments share nothing. */
export class PetstoreStack extends Stack {
  constructor(scope: Construct, environment: Environment) {
    const { bootstrapQualifier } = environment;
    super(scope, environment.stackName, {
      description: `Petstore service, ${environment.stage}`,
      env: environment.pinned,
      // CDK turns it off on any deploy that doesn't set it.
      terminationProtection: environment.protected,
      ...(bootstrapQualifier && {
        synthesizer: new DefaultStackSynthesizer({ qualifier: bootstrapQualifier }) as IStackSynthesizer,
      }),
      // CloudFormation passes them on to the resources, and cost reports group by them.
      tags: { service: 'petstore', environment: environment.stage },
    });
    if (environment.platformDomain === undefined) {
      Annotations.of(this).addInfo(
        `Custom domains need a platform domain: set platformDomain in ${environment.stage}.json (infra/settings/README.md).`,
      );
    }
    if (environment.keepsData && !environment.protected) {
      Annotations.of(this).addInfo(
        `Nothing protects the tables and the stack against deletion yet: once the first deploy has succeeded, set protected to true in ${environment.stage}.json, and deploy (infra/settings/README.md).`,
      );
    }
    const apiKeys = new ApiKeys(this, 'ApiKeys', environment);
    const publicApi = new PublicApi(this, 'PublicApi', environment, apiKeys.authorize);
    const pets = new Pets(this, 'Pets', environment, publicApi);
    const orders = new Orders(this, 'Orders', environment, publicApi);
    const projects = new Projects(this, 'Projects', environment, publicApi);
    const domains = new Domains(this, 'Domains', environment);
    const redirects = new Redirects(this, 'Redirects', environment, { domains, projects, publicApi });
    const domainFlow = new DomainFlow(this, 'DomainFlow', environment, {
      domains,
      projects,
      publicApi,
      redirects,
    });
    domainFlow.grantDefaultUrls(projects.reconcileEndpoint);
    const domainChecks = new DomainChecks(this, 'DomainChecks', environment, domainFlow);
    new DomainEvents(this, 'DomainEvents', environment, domains);
    if (environment.domainEventsAddress) {
      new DomainMail(this, 'DomainMail', environment.stage, environment.domainEventsAddress);
    }
    new Docs(this, 'Docs', environment, publicApi);
    new Setup(this, 'Setup', environment, { domains, domainFlow, projects, publicApi });
    // The rest is for limits that are rounded up.
    throttleApis(environment, [
      { api: publicApi.api, methods: publicApi.throttledMethods, share: 0.88 },
      { api: redirects.api, methods: redirects.throttledMethods, share: 0.1 },
    ]);
    spreadControlPlaneCalls(this);
    new Operator(this, 'Operator', environment, { apiKeys, domainFlow, orders, pets, projects, publicApi });
    const { reconcile: reconcileDomains } = domainChecks;
    new Monitoring(this, 'Monitoring', environment, { apiKeys, projects, publicApi, reconcileDomains });
  }
}
