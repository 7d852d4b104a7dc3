import { countCertificates, countGatewayKeys, listDomainNames } from './account-inventory.ts';
import type { DoctorCheck, Examination } from './examination.ts';
import { type Finding, ok, warning } from './finding.ts';

/** A quota of the account in the region. */
interface Quota {
  readonly subject: string;
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
    subject: 'quota of domain names',
    noun: 'domain names',
    permission: 'apigateway:GET',
    byDefault: 120,
    code: { ServiceCode: 'apigateway', QuotaCode: 'L-A93447B8' },
    count: async options => (await listDomainNames(options)).length,
  },
  {
    subject: 'quota of API keys',
    noun: 'API keys',
    permission: 'apigateway:GET',
    byDefault: 10_000,
    count: countGatewayKeys,
  },
  {
    subject: 'quota of certificates',
    noun: 'certificates',
    permission: 'acm:ListCertificates',
    byDefault: 2_500,
    code: { ServiceCode: 'acm', QuotaCode: 'L-F141DD1D' },
    count: countCertificates,
  },
];

/** A quota that is used up to this share is to be raised: AWS may take days. */
const HIGHEST_SHARE = 0.8;

/** A request takes an authorizer and an operation of 50 ms each: 100 executions at once are 1,000 requests per second. */
const LEAST_CONCURRENCY = 100;

/** As in infra/stack/environments.ts, which this command does not load: it takes seconds. */
const DEFAULT_CONCURRENCY_QUOTA = 1000;

/** How much is left of the quotas of the account. */
export const QUOTA_CHECKS: readonly DoctorCheck[] = [
  ...QUOTAS.map(
    (quota): DoctorCheck => ({
      subject: quota.subject,
      on: 'AWS and this machine',
      permissions: [quota.permission],
      run: examination => quotaFinding(quota, examination),
    }),
  ),
  {
    subject: 'Lambda concurrency',
    on: 'AWS',
    permissions: ['lambda:GetAccountSettings'],
    async run({ clientOptions, session, settings }) {
      const { GetAccountSettingsCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
      const client = new LambdaClient(clientOptions);
      try {
        const { AccountLimit = {} } = await client.send(new GetAccountSettingsCommand({}));
        const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit;
        if (free < LEAST_CONCURRENCY) {
          return warning(
            `Functions may run ${free} times at once; a thousand requests per second take ${LEAST_CONCURRENCY}.`,
            'Ask AWS for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
          );
        }
        const { concurrencyQuota: watched = DEFAULT_CONCURRENCY_QUOTA } = settings;
        return quota === watched
          ? ok(`functions may run ${free} times at once`)
          : warning(
              `The quota of the account is ${quota} executions at once, and an alarm watches ${watched}.`,
              `Set concurrencyQuota to ${quota} in infra/settings/${session.target.stage}.json (infra/settings/README.md), and deploy.`,
            );
      } finally {
        client.destroy();
      }
    },
  },
];

async function quotaFinding(quota: Quota, examination: Examination): Promise<Finding> {
  const used = await quota.count(examination.clientOptions);
  const limit = await limitOf(quota, examination);
  const use = `${used} of ${limit} ${quota.noun} are used, of all environments and teams in the account.`;
  if (used < limit * HIGHEST_SHARE) return ok(`${used} of ${limit} are used`);
  const { ServiceCode, QuotaCode } = quota.code ?? {};
  return warning(
    use,
    ServiceCode
      ? `Remove those that nobody needs, or ask AWS for more: aws service-quotas request-service-quota-increase --service-code ${ServiceCode} --quota-code ${QuotaCode} --desired-value ${limit * 2}`
      : 'Revoke those that nobody needs: AWS does not raise this quota.',
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
  } finally {
    client.destroy();
  }
}
