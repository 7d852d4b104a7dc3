import { functionClock } from '../../shared/domains/clock.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { report } from '../../shared/domains/report.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { askingOf } from '../../shared/setup/ask-limit.ts';
import { linkedClaims } from '../../shared/setup/linked-claims.ts';
import { ownerView } from '../../shared/setup/owner-view.ts';
import { NO_PAGE, PAGE_HEADERS, setupPage } from '../../shared/setup/page.ts';

const clock = functionClock();
const find = linkedClaims({
  domains: domainStore(required('DOMAINS_TABLE')),
  projects: projectStore(required('PROJECTS_TABLE')),
  clock,
});

/**
 * GET /setup/{domain}/{key}: the page for whoever runs the DNS of a domain. Mail scanners open every link, so it changes nothing
 * and looks nothing up.
 */
export const handler = endpoint().handler(async event => {
  const linked = await find(event.pathParameters);
  if (!linked) return { statusCode: 404, headers: { ...PAGE_HEADERS }, body: NO_PAGE };
  const { claims, project } = linked;
  const view = ownerView(
    claims.map(claim => report(claim, project, clock)),
    project.name,
  );
  const body = setupPage(view, askingOf(claims[0], clock.now()));
  return { statusCode: 200, headers: { ...PAGE_HEADERS }, body };
});
