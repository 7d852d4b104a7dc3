import { interruptible } from '../../framework/terminal.ts';
import { type Check, type Finding, failed, ok } from '../check.ts';
import { runWithoutKeys } from '../http/connect.ts';
import type { HttpParts } from '../http/http-checks.ts';
import { largeBodyChecks, mediaTypeChecks, OPEN_REQUESTS, UNROUTED } from '../http/unrouted-checks.ts';
import { type SmokeCheck, smokeCheckOf } from '../smoke-command.ts';
import type { Acceptance } from './report.ts';

export function sendMediaTypes({ session }: Acceptance): Promise<Finding> {
  return sendBodies(
    session,
    UNROUTED.map(unrouted => [unrouted.request, mediaTypeChecks(unrouted)]),
  );
}

export function sendLargeBodies({ session }: Acceptance): Promise<Finding> {
  return sendBodies(
    session,
    OPEN_REQUESTS.map(request => [request, largeBodyChecks(request)]),
  );
}

async function sendBodies(
  session: Acceptance['session'],
  requests: readonly (readonly [request: string, checks: readonly Check<Pick<HttpParts, 'send'>>[]])[],
): Promise<Finding> {
  const results = await interruptible(
    signal =>
      Promise.all(
        requests.map(async ([, checks]) => (await runWithoutKeys(checks, session, signal)).map(smokeCheckOf)),
      ),
    'Interrupted.',
  );
  const all = results.flat();
  const wrong = all.filter(({ outcome }) => outcome !== 'ok');
  const statusOf = ({ requests: [first] }: SmokeCheck) => first?.status ?? 'no response';
  const verdict = wrong.length > 0 ? failed : ok;
  return verdict(`${all.length - wrong.length} of ${all.length} responses are as documented`, [
    ...results.flatMap((ofRequest, index) =>
      [...Map.groupBy(ofRequest, statusOf)].map(
        ([status, checks]) =>
          `${requests[index]?.[0]}: ${status} for ${checks.map(({ name }) => name).join(', ')}`,
      ),
    ),
    ...wrong.map(({ name, outcome, message }) => `${outcome}: ${name}: ${message}`),
  ]);
}
