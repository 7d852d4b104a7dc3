import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { deployCommandOf } from '../../../settings/environment-name.ts';
import {
  countGatewayKeys,
  listCertificates,
  listDomainNames,
  listTaggedCertificates,
  type TaggedResource,
} from '../../environment/account-resources.ts';
import { countOf, listOf } from '../../framework/style.ts';
import { type Finding, failure, ok, skipped, warning } from '../check.ts';
import { type AccountCheck, type Examination, UNKNOWN_STATE } from './examination.ts';

/** Where an environment is deployed, and who asks. */
export const ACCOUNT_CHECKS: readonly AccountCheck[] = [
  {
    name: 'credentials',
    only: 'aws',
    async run({ caller, session, settings }) {
      if (caller === undefined) {
        return failure(
          "AWS didn't say whose credentials these are.",
          'Try: aws sts get-caller-identity. Are you online, and are the credentials valid?',
        );
      }
      const { account: pinned } = settings;
      return pinned === undefined || pinned === caller.account
        ? ok(`${caller.arn}, account ${caller.account}`)
        : failure(
            `These credentials are for account ${caller.account}; the settings pin ${session.target.stage} to ${pinned}.`,
            'Add --profile <name>, or set AWS_PROFILE, with credentials of that account.',
          );
    },
  },
  {
    name: 'region',
    only: 'aws',
    async run({ region, session, settings }) {
      const { region: pinned } = settings;
      return pinned === undefined || pinned === region
        ? ok(region)
        : failure(
            `This is ${region}; the settings pin ${session.target.stage} to ${pinned}.`,
            `Add --region ${pinned}.`,
          );
    },
  },
];

/** What all environments of an account and region share. */
export const SHARED_CHECKS: readonly AccountCheck[] = [
  {
    name: 'role for API logs',
    only: 'aws',
    permissions: ['apigateway:GET', 'cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
    async run({ caller, clientOptions, session, stack }) {
      const { stackName, stage } = session.target;
      const { APIGatewayClient, GetAccountCommand } = await import('@aws-sdk/client-api-gateway');
      const client = new APIGatewayClient(clientOptions);
      const { cloudwatchRoleArn } = await client.send(new GetAccountCommand({}));
      if (!cloudwatchRoleArn) {
        return failure(
          "No environment has set the role that API Gateway writes logs with, and APIs with logs can't be deployed without it.",
          `Leave gatewayLogRole out of infra/settings/${stage}.json (infra/settings/README.md), and deploy: ${deployCommandOf(stage)}`,
        );
      }
      // The role of a stack that sets it is named after the stack and its construct.
      const own = (await stack())?.resourcesOf('AWS::IAM::Role').find(role => /CloudWatchRole/.test(role));
      if (own === undefined || cloudwatchRoleArn.endsWith(`/${own}`)) return ok(cloudwatchRoleArn);
      const ownArn = `arn:${caller?.arn.split(':')[1] ?? 'aws'}:iam::${caller?.account}:role/${own}`;
      return warning(
        `${stackName} sets the role that API Gateway writes logs with, but someone else has set a different one: ${cloudwatchRoleArn}.`,
        `If that's another environment, set gatewayLogRole to false in one of the two settings files, and deploy. To set the role of ${stackName} again, run: aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=${ownArn}`,
      );
    },
  },
];

/**
 * Younger resources may not show in both lists yet. A certificate is requested after its claim is recorded, so this only
 * has to outlast differences between clocks.
 */
const RECENT_MS = 15 * 60_000;

/** What this environment has created for custom domains, and has no record of. */
export const ORPHAN_CHECKS: readonly AccountCheck[] = [
  {
    name: 'certificates',
    permissions: ['acm:ListCertificates', 'acm:ListTagsForCertificate'],
    async run(examination) {
      return verdict(
        examination,
        'certificate',
        await listTaggedCertificates(examination.clientOptions),
        'aws acm delete-certificate --certificate-arn',
      );
    },
  },
  {
    name: 'domain names',
    permissions: ['apigateway:GET'],
    async run(examination) {
      return verdict(
        examination,
        'domain name',
        await listDomainNames(examination.clientOptions),
        'aws apigateway delete-domain-name --domain-name',
      );
    },
  },
];

function verdict(
  examination: Examination,
  noun: string,
  resources: readonly TaggedResource[],
  deletion: string,
): Finding {
  const { session, state } = examination;
  if (state === undefined) return UNKNOWN_STATE;
  const { stage } = session.target;
  const own = resources.filter(({ tags }) => tags[ENVIRONMENT_TAG] === stage);
  if (own.length === 0) return skipped(`${stage} has none`);
  const orphans = own.filter(
    ({ tags, createdAt }) =>
      !state.claims.includes(tags[CLAIM_TAG] ?? '') &&
      (createdAt === undefined || Date.now() - createdAt.getTime() > RECENT_MS),
  );
  if (orphans.length === 0) return ok(`${countOf(own.length, noun)} of ${stage}, each with a record`);
  const ids = orphans.map(({ id }) => id);
  return warning(
    `${countOf(orphans.length, noun)} of ${stage} without a record: ${listOf(ids)}.`,
    `Nothing uses ${ids.length === 1 ? 'it' : 'them'}, unless the tables were restored to an earlier time. Delete with: ${deletion} <${noun === 'certificate' ? 'ARN' : 'name'}>`,
  );
}

interface Quota {
  readonly name: string;
  readonly noun: string;
  readonly permission: string;
  /** The quota of a new account. */
  readonly byDefault: number;
  /** Where the quota of this account is found; absent if it cannot be raised. */
  readonly code?: { readonly ServiceCode: string; readonly QuotaCode: string };
  count(options: Examination['clientOptions']): Promise<number>;
}

const QUOTAS: readonly Quota[] = [
  {
    name: 'quota of domain names',
    noun: 'domain names',
    permission: 'apigateway:GET',
    byDefault: 120,
    code: { ServiceCode: 'apigateway', QuotaCode: 'L-A93447B8' },
    count: async options => (await listDomainNames(options)).length,
  },
  {
    name: 'quota of API keys',
    noun: 'API keys',
    permission: 'apigateway:GET',
    byDefault: 10_000,
    count: countGatewayKeys,
  },
  {
    name: 'quota of certificates',
    noun: 'certificates',
    permission: 'acm:ListCertificates',
    byDefault: 2_500,
    code: { ServiceCode: 'acm', QuotaCode: 'L-F141DD1D' },
    count: async options => (await listCertificates(options)).length,
  },
];

/** A quota should be raised when this share of it is used, since AWS may take days. */
export const HIGHEST_SHARE = 0.8;

/** A request takes an authorizer and an operation of 50 ms each: 100 executions at once are 1,000 requests per second. */
const LEAST_CONCURRENCY = 100;

/** As in infra/stack/environments.ts, which this command does not load: it takes seconds. */
export const DEFAULT_CONCURRENCY_QUOTA = 1000;

export const QUOTA_CHECKS: readonly AccountCheck[] = [
  ...QUOTAS.map(
    (quota): AccountCheck => ({
      name: quota.name,
      permissions: [quota.permission],
      run: examination => quotaFinding(quota, examination),
    }),
  ),
  {
    name: 'Lambda concurrency',
    only: 'aws',
    permissions: ['lambda:GetAccountSettings'],
    async run({ clientOptions, session, settings }) {
      const { GetAccountSettingsCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
      const client = new LambdaClient(clientOptions);
      const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
      const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit;
      if (free < LEAST_CONCURRENCY) {
        return warning(
          `Only ${free} functions may run at once; a thousand requests per second need ${LEAST_CONCURRENCY}.`,
          'Ask AWS for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
        );
      }
      const { alarmAddress, concurrencyQuota: watched = DEFAULT_CONCURRENCY_QUOTA } = settings;
      return alarmAddress === undefined || quota === watched
        ? ok(`${free} functions may run at once`)
        : warning(
            `The account may run ${quota} functions at once, but the alarm watches ${watched}.`,
            `Set concurrencyQuota to ${quota} in infra/settings/${session.target.stage}.json (infra/settings/README.md), and deploy.`,
          );
    },
  },
];

async function quotaFinding(quota: Quota, examination: Examination): Promise<Finding> {
  const used = await quota.count(examination.clientOptions);
  const limit = await limitOf(quota, examination);
  const use = `${used} of ${limit} ${quota.noun} are used by all environments and teams in the account.`;
  if (used < limit * HIGHEST_SHARE) return ok(`${used} of ${limit} are used`);
  const { ServiceCode, QuotaCode } = quota.code ?? {};
  return warning(
    use,
    ServiceCode
      ? `Remove those that nobody needs, or ask AWS for more: aws service-quotas request-service-quota-increase --service-code ${ServiceCode} --quota-code ${QuotaCode} --desired-value ${limit * 2}`
      : "Revoke those that nobody needs: AWS doesn't raise this quota.",
  );
}

/** The quota of the account. Where it cannot be read, the quota of a new account is the careful assumption. */
async function limitOf({ code, byDefault }: Quota, { clientOptions, session }: Examination): Promise<number> {
  if (code === undefined || session.target.isLocal) return byDefault;
  const { GetServiceQuotaCommand, ServiceQuotasClient } = await import('@aws-sdk/client-service-quotas');
  const client = new ServiceQuotasClient(clientOptions);
  try {
    return (await client.send(new GetServiceQuotaCommand(code))).Quota?.Value ?? byDefault;
  } catch {
    return byDefault;
  }
}
