import { deployCommandOf } from '../../../settings/environment-name.ts';
import { type DeployedStack, unprotectCommandOf } from '../../environment/deployed-stack.ts';
import { countOf, listOf } from '../../framework/style.ts';
import { type Finding, failure, ok, skipped, warning } from '../check.ts';
import type { AccountCheck, Examination } from './examination.ts';

/** The statuses of a stack whose last deploy has succeeded. */
const COMPLETE = [
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  'IMPORT_COMPLETE',
];

/** The statuses of a stack whose first deploy has failed: it cannot be updated. */
const NEVER_DEPLOYED = ['CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

export const STACK_CHECKS: readonly AccountCheck[] = [
  {
    name: 'stack',
    only: 'aws',
    permissions: ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
    run: withStack(async (stack, { session, settings }) => {
      const { stackName, stage } = session.target;
      const { status, isProtected } = stack;
      if (NEVER_DEPLOYED.includes(status)) {
        return failure(
          `The first deploy of ${stackName} failed: ${status}.`,
          `${whyOf(stackName)} Then run: ${repetitionOf(stack, stackName, stage).join(' && ')} (infra/runbook.md, "A first deploy failed")`,
        );
      }
      if (!COMPLETE.includes(status)) {
        return failure(
          `The last deploy of ${stackName} didn't succeed: ${status}.`,
          `${whyOf(stackName)} Then deploy again: ${deployCommandOf(stage)}`,
        );
      }
      return stage === 'production' && !isProtected
        ? warning(
            `${stackName} and its tables can be deleted by mistake: nothing protects them.`,
            `${settings.protected ? 'Deploy' : `Set protected to true in infra/settings/${stage}.json (infra/settings/README.md), and deploy`}: ${deployCommandOf(stage)}`,
          )
        : ok(`${stackName} is ${status}`);
    }),
  },
  {
    name: 'tables',
    permissions: ['dynamodb:DescribeTable', 'dynamodb:DescribeContinuousBackups'],
    run: examination =>
      examination.session.target.isLocal
        ? checkTables(undefined, examination)
        : withDeployedStack(checkTables)(examination),
  },
  {
    name: 'alarms',
    only: 'aws',
    permissions: ['sns:ListSubscriptionsByTopic'],
    run: withDeployedStack(checkSubscriptions),
  },
];

function whyOf(stackName: string): string {
  return `See why with: aws cloudformation describe-stack-events --stack-name ${stackName}.`;
}

/** The commands that repeat a first deploy. `cdk deploy` deletes the stack that was rolled back, and creates it again. */
function repetitionOf(stack: DeployedStack, stackName: string, stage: string): string[] {
  const tables = stack.resourcesOf('AWS::DynamoDB::Table');
  return [
    // Deployed with --no-rollback.
    ...(stack.status === 'CREATE_FAILED' ? [`npx cdk rollback ${stackName}`] : []),
    ...(stack.isProtected ? [unprotectCommandOf(stackName)] : []),
    // What a rollback could not delete, a deletion of the stack would keep. Nobody has used these tables.
    ...(stack.status === 'ROLLBACK_FAILED' && tables.length > 0
      ? [
          forEachTable('aws dynamodb update-table --no-deletion-protection-enabled --table-name', tables),
          forEachTable('aws dynamodb delete-table --table-name', tables),
        ]
      : []),
    deployCommandOf(stage),
  ];
}

function forEachTable(command: string, tables: readonly string[]): string {
  return tables.length === 1
    ? `${command} ${tables[0]}`
    : `for table in ${tables.join(' ')}; do ${command} $table; done`;
}

/**
 * Every table exists and, on AWS, has point-in-time recovery; those of a protected stack cannot be deleted either. A table
 * that was restored is not of the stack, and a restore protects nothing: the settings name it, and the operator function
 * says which it uses.
 */
async function checkTables(
  stack: DeployedStack | undefined,
  { clientOptions, session, settings, state }: Examination,
): Promise<Finding> {
  const { DescribeContinuousBackupsCommand, DescribeTableCommand, DynamoDBClient } = await import(
    '@aws-sdk/client-dynamodb'
  );
  const client = new DynamoDBClient(clientOptions);
  const restored = Object.values(settings.restoredTables ?? {});
  const tables = [
    ...new Set([
      ...(stack?.resourcesOf('AWS::DynamoDB::Table') ?? []),
      ...(state?.tables ?? []),
      ...restored,
    ]),
  ];
  const gone: string[] = [];
  const unrecoverable: string[] = [];
  const deletable: string[] = [];
  for (const TableName of tables) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName })).catch(asAbsent);
    if (Table === undefined) {
      gone.push(TableName);
      continue;
    }
    if (!Table.DeletionProtectionEnabled) deletable.push(TableName);
    if (session.target.isLocal) continue;
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    const recovery = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
    if (recovery !== 'ENABLED') unrecoverable.push(TableName);
  }
  if (gone.length > 0) {
    return failure(
      `${listOf(gone)} ${gone.length === 1 ? "doesn't" : "don't"} exist.`,
      session.target.isLocal
        ? 'Restart it: npm start creates the tables that are missing. Their data is lost.'
        : 'See "Restore a table" in infra/runbook.md.',
    );
  }
  if (session.target.isLocal) return ok(`${countOf(tables.length, 'table')}`);
  if (unrecoverable.length > 0) {
    return failure(
      `Lost data can't be recovered in ${listOf(unrecoverable)}: point-in-time recovery is off.`,
      `Run: ${forEachTable('aws dynamodb update-continuous-backups --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --table-name', unrecoverable)}`,
    );
  }
  return stack?.isProtected && deletable.length > 0
    ? failure(
        `${listOf(deletable)} can be deleted by mistake: deletion protection is off.`,
        `Run: ${forEachTable('aws dynamodb update-table --deletion-protection-enabled --table-name', deletable)}`,
      )
    : ok(`${countOf(tables.length, 'table')} with point-in-time recovery`);
}

/** Every topic of the stack, for alarms or for mails about domains, has somebody who gets its mails. */
async function checkSubscriptions(
  stack: DeployedStack,
  { clientOptions, session, settings }: Examination,
): Promise<Finding> {
  const { SNSClient, paginateListSubscriptionsByTopic } = await import('@aws-sdk/client-sns');
  const client = new SNSClient(clientOptions);
  const topics = stack.resourcesOf('AWS::SNS::Topic');
  const isOfDomains = (topic: string) => topic.includes('DomainMail');
  // One address may get both pages and tickets.
  const confirmed = new Set<string>();
  const pending = new Set<string>();
  const silent: string[] = [];
  for (const TopicArn of topics) {
    const found: string[] = [];
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
      for (const { Endpoint = '', SubscriptionArn } of Subscriptions) {
        if (SubscriptionArn === 'Deleted') continue;
        found.push(Endpoint);
        (SubscriptionArn === 'PendingConfirmation' ? pending : confirmed).add(Endpoint);
      }
    }
    if (found.length === 0) silent.push(TopicArn);
  }
  if (silent.length > 0) {
    const what = silent.every(isOfDomains) ? 'emails about domains' : 'some alarms';
    return failure(
      `Nobody gets ${what}: a topic has no subscription.`,
      `Subscribe, and follow the link in the email: ${silent.map(topic => `aws sns subscribe --protocol email --topic-arn ${topic} --notification-endpoint ${addressOf(topic)}`).join(' && ')}`,
    );
  }
  if (pending.size > 0) {
    return failure(
      `Emails don't reach ${listOf([...pending])}: the subscription isn't confirmed.`,
      'Follow the link in the email "AWS Notification - Subscription Confirmation". The link expires after two days; the SNS console can send it again.',
    );
  }
  if (topics.some(topic => !isOfDomains(topic))) return ok(`emails reach ${listOf([...confirmed])}`);
  const { stage } = session.target;
  return settings.alarmAddress === undefined
    ? warning(
        'There are no alarms, because no address is set.',
        `Set alarmAddress in infra/settings/${stage}.json (infra/settings/README.md), and deploy.`,
      )
    : failure(
        'There are no alarms, although alarmAddress is set: the stack has no topic for them.',
        `Deploy: ${deployCommandOf(stage)}`,
      );

  function addressOf(topic: string): string {
    return (isOfDomains(topic) ? settings.domainEventsAddress : settings.alarmAddress) ?? '<address>';
  }
}

function asAbsent(error: unknown): { Table?: undefined } {
  if ((error as Error).name !== 'ResourceNotFoundException') throw error;
  return {};
}

/** A check that does not apply to a stack that was never deployed. */
function withDeployedStack(
  run: (stack: DeployedStack, examination: Examination) => Promise<Finding>,
): (examination: Examination) => Promise<Finding> {
  return withStack(async (stack, examination) =>
    NEVER_DEPLOYED.includes(stack.status) ? skipped('the first deploy has failed') : run(stack, examination),
  );
}

function withStack(
  run: (stack: DeployedStack, examination: Examination) => Promise<Finding>,
): (examination: Examination) => Promise<Finding> {
  return async examination => {
    const stack = await examination.stack();
    const { stackName, stage } = examination.session.target;
    return stack === undefined
      ? failure(
          `There is no stack ${stackName} in ${examination.region}.`,
          `Deploy it with: ${deployCommandOf(stage)}`,
        )
      : run(stack, examination);
  };
}
