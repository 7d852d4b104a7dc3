import { setTimeout as pause } from 'node:timers/promises';
import { tearDown } from '../../environment/teardown-command.ts';
import { countOf, listOf } from '../../framework/style.ts';
import { interruptible } from '../../framework/terminal.ts';
import { type Finding, failed, ok, skipped, undecided } from '../check.ts';
import { type Acceptance, durationText } from './report.ts';

const DRIFT_MS = 15 * 60_000;
const DRIFT_POLL_MS = 5_000;

export async function detectDrift({ session }: Acceptance): Promise<Finding> {
  const sdk = await import('@aws-sdk/client-cloudformation');
  const client = new sdk.CloudFormationClient(session.target.aws);
  const { stackName } = session.target;
  const { StackDriftDetectionId } = await client.send(
    new sdk.DetectStackDriftCommand({ StackName: stackName }),
  );
  session.progress(`Waiting for CloudFormation to compare every resource of ${stackName} …`);
  const status = () =>
    client.send(new sdk.DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }));
  let detection = await status();
  for (const endMs = Date.now() + DRIFT_MS; detection.DetectionStatus === 'DETECTION_IN_PROGRESS'; ) {
    if (Date.now() >= endMs) {
      return undecided(`the detection takes longer than ${durationText(DRIFT_MS)}`);
    }
    await pause(DRIFT_POLL_MS);
    detection = await status();
  }
  const { DetectionStatus, DetectionStatusReason, StackDriftStatus } = detection;
  const facts: string[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new sdk.DescribeStackResourceDriftsCommand({
        StackName: stackName,
        StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'],
        ...(token && { NextToken: token }),
      }),
    );
    for (const drift of page.StackResourceDrifts ?? []) {
      const { LogicalResourceId, ResourceType, StackResourceDriftStatus, PropertyDifferences = [] } = drift;
      const differences = PropertyDifferences.map(
        ({ PropertyPath, ExpectedValue, ActualValue }) =>
          `${PropertyPath} is ${ActualValue}, not ${ExpectedValue}`,
      );
      facts.push(
        `${LogicalResourceId} (${ResourceType}) ${StackResourceDriftStatus}${differences.length > 0 ? `: ${differences.join('; ')}` : ''}`,
      );
    }
    token = page.NextToken;
  } while (token);
  // A type that can't be compared fails the detection of the stack; the others are compared.
  if (DetectionStatus === 'DETECTION_FAILED') {
    facts.push(`the detection was not complete: ${DetectionStatusReason}`);
  }
  if (StackDriftStatus === 'DRIFTED') {
    return failed(`${countOf(facts.length, 'difference')} from the template`, facts);
  }
  return DetectionStatus === 'DETECTION_FAILED'
    ? undecided('no difference was found, but not every resource was compared', facts)
    : ok('the stack is as it was deployed', facts);
}

/** As long as petstore teardown waits. */
const TEARDOWN_MS = 2 * 60 * 60_000;

export async function tryTeardown({ session, wantsTeardown }: Acceptance): Promise<Finding> {
  const command = session.commandLine('teardown');
  if (!wantsTeardown) {
    return session.target.stage === 'production'
      ? skipped('production stays; try it in another environment')
      : skipped(`it ends the environment; add --teardown, or run: ${command}`);
  }
  await session.confirm(`This takes ${session.environment} out of service.`);
  const { domains, keys, leaves, obstacles, next } = await interruptible(
    signal => tearDown(session, TEARDOWN_MS, signal),
    'Interrupted. Removals that have started will finish.',
    `Run it again with: ${command}`,
  );
  const facts = [
    `removed: ${countOf(domains.removed.length, 'domain')}, ${countOf(keys.removed.length, 'API key')}`,
    ...leaves.map(line => `left: ${line}`),
    ...next.map(line => `next: \`${line}\``),
  ];
  if (next.length > 0) return ok('nothing is left that keeps the stack from being deleted', facts);
  const left = listOf(domains.remaining.map(({ domain }) => domain)) || countOf(keys.remaining, 'API key');
  return failed(obstacles.join(' ') || `still there: ${left}`, facts);
}
