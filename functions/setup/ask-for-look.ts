import { transact } from '../../shared/aws/transaction.ts';
import { flows } from '../../shared/domains/aws/flows.ts';
import { functionClock } from '../../shared/domains/clock.ts';
import { nextRevision } from '../../shared/domains/life/domain.ts';
import { domainStore, saveUnlessStale } from '../../shared/domains/life/domain-store.ts';
import { lookAsked } from '../../shared/domains/life/wishes.ts';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { empty } from '../../shared/http/response.ts';
import { describeError, log } from '../../shared/log.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { nextAsk } from '../../shared/setup/ask-limit.ts';
import { linkedClaims } from '../../shared/setup/linked-claims.ts';
import { NO_PAGE, PAGE_HEADERS } from '../../shared/setup/page.ts';

const clock = functionClock();
const domains = domainStore(required('DOMAINS_TABLE'));
const { start } = flows(required('TEND_MACHINE_ARN'));
const find = linkedClaims({ domains, projects: projectStore(required('PROJECTS_TABLE')), clock });

/** A pass that changes the claims at the same time writes them a few times. */
const MAX_ATTEMPTS = 5;

/**
 * POST /setup/{domain}/{key}: whoever runs the DNS asks for a look, and is sent back to the page. If the execution can't be
 * started, the domains are due all the same, and a sweep comes.
 */
export const handler = endpoint().handler(async event => {
  const back = empty(303, { Location: event.requestContext.path });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const linked = await find(event.pathParameters);
    if (!linked) return { statusCode: 404, headers: { ...PAGE_HEADERS }, body: NO_PAGE };
    const { claims } = linked;
    const nowMs = clock.now();
    const asks = nextAsk(claims[0].asks, nowMs);
    if ('againAtMs' in asks) return back;
    const asked = claims.map(claim => nextRevision(lookAsked(claim, asks, nowMs)));
    if (!(await saveUnlessStale(transact(asked.flatMap(domains.change))))) continue;
    const woken = asked.filter((claim, index) => claim.attempt !== claims[index]?.attempt);
    await Promise.all(woken.map(start)).catch(error =>
      log.warn('A look that its owner asked for waits for the next sweep.', { error: describeError(error) }),
    );
    return back;
  }
  throw new ApiError('unavailable');
});
