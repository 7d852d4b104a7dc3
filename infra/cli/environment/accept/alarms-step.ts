import { setTimeout as pause } from 'node:timers/promises';
import { countOf } from '../../framework/style.ts';
import type { Acceptance } from './acceptance.ts';
import { aws, orUndecided } from './aws-cli.ts';
import type { Outcome } from './report.ts';

interface MetricAlarm {
  readonly AlarmName: string;
  readonly StateValue: string;
  readonly ActionsEnabled: boolean;
  readonly AlarmActions: readonly string[];
}

/** CloudWatch executes the actions of an alarm within seconds. */
const ACTION_MS = 60_000;
const ACTION_POLL_MS = 5_000;

export function raiseAlarms(acceptance: Acceptance): Promise<Outcome> {
  return orUndecided(raised(acceptance));
}

/** Sets one alarm of each topic off: CloudWatch sends its mail, and sets it back at the next evaluation. */
async function raised(acceptance: Acceptance): Promise<Outcome> {
  const { session } = acceptance;
  const alarms: readonly MetricAlarm[] = await aws(
    acceptance,
    ...['cloudwatch', 'describe-alarms', '--alarm-name-prefix', `petstore-${session.target.stage}-`],
    ...['--query', 'MetricAlarms[]'],
  );
  const mailing = alarms.filter(
    ({ ActionsEnabled, AlarmActions, StateValue }) =>
      ActionsEnabled && AlarmActions.length > 0 && StateValue !== 'ALARM',
  );
  if (mailing.length === 0) {
    return {
      result: 'skipped',
      message: `no alarm would send an email: set alarmAddress in infra/settings/${session.target.stage}.json, and deploy`,
    };
  }
  const facts: string[] = [];
  const results: Outcome['result'][] = [];
  for (const [topic, [alarm]] of Map.groupBy(mailing, ({ AlarmActions }) => AlarmActions[0])) {
    if (alarm === undefined) continue;
    const { AlarmName } = alarm;
    const since = new Date().toISOString();
    await aws(
      acceptance,
      ...['cloudwatch', 'set-alarm-state', '--alarm-name', AlarmName, '--state-value', 'ALARM'],
      ...['--state-reason', 'petstore accept: a test of the email. Nothing is wrong.'],
    );
    session.progress(`Triggered ${AlarmName}. Waiting for CloudWatch to notify ${topic} …`);
    const action = await actionOf(acceptance, AlarmName, since);
    const isSent = /^Successfully/i.test(action ?? '');
    const isReceived = isSent ? await session.ask(`Has the email about ${AlarmName} arrived?`) : undefined;
    const mail = {
      true: 'the email arrived',
      false: 'no email arrived',
      undefined: "the email isn't confirmed",
    };
    facts.push(`${AlarmName}: ${action ?? 'CloudWatch has not notified anybody'}; ${mail[`${isReceived}`]}`);
    results.push(isReceived ? 'ok' : isSent && isReceived === undefined ? 'undecided' : 'failed');
  }
  const worst = (['failed', 'undecided'] as const).find(result => results.includes(result)) ?? 'ok';
  const messages = {
    ok: `${countOf(results.length, 'mail')} of ${countOf(results.length, 'topic')} came`,
    undecided: 'CloudWatch notified the topics; check the mailbox to confirm that the emails arrived',
    failed: "an email didn't arrive: see below",
  };
  return { result: worst, message: messages[worst], facts };
}

/** What CloudWatch says of the action of an alarm; undefined if it says nothing in time. */
async function actionOf(acceptance: Acceptance, alarm: string, since: string): Promise<string | undefined> {
  for (const endMs = Date.now() + ACTION_MS; ; ) {
    const [summary] = await aws(
      acceptance,
      ...['cloudwatch', 'describe-alarm-history', '--alarm-name', alarm, '--history-item-type', 'Action'],
      ...['--start-date', since, '--query', 'AlarmHistoryItems[].HistorySummary'],
    );
    if (summary !== undefined || Date.now() >= endMs) return summary;
    await pause(ACTION_POLL_MS);
  }
}
