import { SFNClient } from '@aws-sdk/client-sfn';
import { briefClient } from '../../shared/aws/control-plane.ts';
import { flows } from '../../shared/domains/aws/flows.ts';
import { functionClock } from '../../shared/domains/clock.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { empty } from '../../shared/http/response.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { askForLook } from '../../shared/setup/ask-for-look.ts';
import { NO_PAGE, PAGE_HEADERS } from '../../shared/setup/page.ts';

const ask = askForLook({
  domains: domainStore(required('DOMAINS_TABLE')),
  projects: projectStore(required('PROJECTS_TABLE')),
  clock: functionClock(),
  flows: flows(required('TEND_MACHINE_ARN'), briefClient(SFNClient)),
});

/** POST /setup/{domain}/{key}: whoever runs the DNS asks for a look, and is sent back to the page. */
export const handler = endpoint().handler(async event =>
  (await ask(event.pathParameters))
    ? empty(303, { Location: event.requestContext.path })
    : { statusCode: 404, headers: { ...PAGE_HEADERS }, body: NO_PAGE },
);
