import { setTimeout as pause } from 'node:timers/promises';
import type { AlarmHistoryItem, DescribeAlarmHistoryCommandOutput } from '@aws-sdk/client-cloudwatch';
import { countOf } from '../../framework/style.ts';
import { type Finding, failed, ok, skipped, undecided } from '../check.ts';
import type { Acceptance } from './report.ts';

/** CloudWatch executes the actions of an alarm within seconds. */
const ACTION_MS = 60_000;
const ACTION_POLL_MS = 5_000;

/** Sets one alarm of each topic off: CloudWatch sends its mail, and sets it back at the next evaluation. */
export async function raiseAlarms({ session, region }: Acceptance): Promise<Finding> {
  const sdk = await import('@aws-sdk/client-cloudwatch');
  const client = new sdk.CloudWatchClient({ ...session.target.aws, region });
  const prefix = { AlarmNamePrefix: `petstore-${session.target.stage}-` };
  const pages = await Array.fromAsync(sdk.paginateDescribeAlarms({ client }, prefix));
  const alarmsByTopic = new Map<string, string>();
  for (const alarm of pages.flatMap(({ MetricAlarms = [] }) => MetricAlarms)) {
    const { AlarmName = '', ActionsEnabled, AlarmActions: [topic] = [], StateValue } = alarm;
    if (ActionsEnabled && topic !== undefined && StateValue !== 'ALARM') alarmsByTopic.set(topic, AlarmName);
  }
  if (alarmsByTopic.size === 0) {
    return skipped(
      `no alarm would send an email: set alarmAddress in infra/settings/${session.target.stage}.json, and deploy`,
    );
  }
  const facts: string[] = [];
  const arrivals: (boolean | undefined)[] = [];
  for (const [topic, AlarmName] of alarmsByTopic) {
    const StartDate = new Date();
    const StateReason = 'petstore accept: a test of the email. Nothing is wrong.';
    await client.send(new sdk.SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason }));
    session.progress(`Triggered ${AlarmName}. Waiting for CloudWatch to notify ${topic} …`);
    const actions = { AlarmName, HistoryItemType: 'Action', StartDate } as const;
    const action = await firstOf(() => sdk.paginateDescribeAlarmHistory({ client }, actions));
    // CloudWatch may cut the data, which contain the published message.
    const isSent = action !== undefined && !/"actionState": ?"Failed"/.test(action.HistoryData ?? '');
    const isReceived = isSent ? await session.ask(`Has the email about ${AlarmName} arrived?`) : undefined;
    const mail = {
      true: 'the email arrived',
      false: 'no email arrived',
      undefined: "the email isn't confirmed",
    };
    const said = action?.HistorySummary ?? 'CloudWatch has not notified anybody';
    facts.push(`${AlarmName}: ${said}; ${mail[`${isReceived}`]}`);
    arrivals.push(isSent ? isReceived : false);
  }
  if (arrivals.includes(false)) return failed("an email didn't arrive: see below", facts);
  return arrivals.includes(undefined)
    ? undecided('CloudWatch notified the topics; check the mailbox to confirm that the emails arrived', facts)
    : ok(`${countOf(arrivals.length, 'mail')} of ${countOf(arrivals.length, 'topic')} came`, facts);
}

/** What CloudWatch says of the action of an alarm; undefined if it says nothing in time. */
async function firstOf(
  history: () => AsyncIterable<DescribeAlarmHistoryCommandOutput>,
): Promise<AlarmHistoryItem | undefined> {
  for (const endMs = Date.now() + ACTION_MS; ; ) {
    for await (const { AlarmHistoryItems: [item] = [] } of history()) if (item) return item;
    if (Date.now() >= endMs) return undefined;
    await pause(ACTION_POLL_MS);
  }
}
