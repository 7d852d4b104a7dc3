import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { remainsOf } from '../../../../infra/cli/environment/teardown-command.ts';
import { targetOf } from '../../../../infra/operator/connection/target.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { testServer } from '../../../shared/aws/silent-server.ts';
import { LIVE } from '../../operator/domains/domain-fixture.ts';
import { type Answer, refuses, startAnsweringOperator, succeeds } from '../../operator/operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';

const KEYS = ['key_a', 'key_b', 'key_c'];
const URLS = ['*.apps.example.dev'];

interface Payload {
  readonly command?: string;
  readonly project?: string;
  readonly domain?: string;
  readonly requestId?: string;
}

/** An operator of these domains. A removal is finished after the domains were listed so many times. */
async function operatorOf(domains: Partial<DomainReport>[] = [], listings = 0, foreign: Foreign = {}) {
  let present = domains.map((domain): DomainReport => ({ ...LIVE, primary: false, ...domain }));
  const [keys, urls] = [[...KEYS], [...URLS]];
  const listed = new Map<string, number>();
  const isOver = ({ domain, status, reason }: DomainReport) =>
    status === 'removing' && reason === null && (listed.get(domain) ?? 0) >= listings;
  const list = (project: string | undefined) => {
    present = present.filter(report => !isOver(report));
    for (const { domain } of present) listed.set(domain, (listed.get(domain) ?? 0) + 1);
    return { domains: present.filter(report => report.project === project) };
  };
  const remove = (domain: string | undefined): Answer => {
    const report = present.find(each => each.domain === domain);
    if (!report) return refuses('domain_unknown', 'There is no such domain.', 'not_found');
    listed.set(report.domain, 0);
    if (report.reason !== 'certificate_in_use') Object.assign(report, { status: 'removing', reason: null });
    return succeeds(report);
  };
  const answer = ({ command, project, domain }: Payload): Answer => {
    switch (command) {
      case 'projects.list':
        return succeeds({ projects: [{ id: 'petstore' }, { id: 'shop' }] });
      case 'domains.list':
        return succeeds(list(project));
      case 'domains.remove':
        return remove(domain);
      case 'environment.inspect':
        return succeeds({ platformDomain: 'apps.example.dev' });
      case 'projects.withdraw':
        return succeeds({ removed: urls.splice(0), remaining: 0 });
      default:
        return succeeds({ removed: keys.splice(0, 2), remaining: keys.length });
    }
  };
  const changes: string[] = [];
  const { environment } = await startAnsweringOperator((payload: Payload) => {
    const { command, domain = '', requestId } = payload;
    if (requestId !== undefined) changes.push(`${command} ${domain}`.trim());
    return answer(payload);
  });
  const endpoint = await startStack(rule => changes.push(`disable ${rule}`), foreign);
  return { environment: { ...environment, AWS_ENDPOINT_URL: endpoint }, changes: () => changes };
}

interface Foreign {
  readonly record?: string;
  readonly domainName?: string;
}

/** The services of a stack with two rules, an API and a zone. */
async function startStack(onDisabled: (rule: string) => void, foreign: Foreign): Promise<string> {
  const resources = [
    ['AWS::Events::Rule', 'DomainChecksEveryFewMinutes'],
    ['AWS::Events::Rule', 'MonitoringCanaryEveryFewMinutes'],
    ['AWS::ApiGateway::RestApi', 'api1'],
    ['AWS::Route53::HostedZone', 'ZONE1'],
  ].map(
    ([type, id]) =>
      `<member><ResourceType>${type}</ResourceType><LogicalResourceId>${id}1234ABCD</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId></member>`,
  );
  const zone = (id: string, name: string) =>
    `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name><CallerReference>1</CallerReference></HostedZone>`;
  const records = [
    ['apps.example.dev', 'NS'],
    ['apps.example.dev', 'SOA'],
    ...(foreign.record ? [[foreign.record, 'TXT']] : []),
  ].map(([name, type]) => `<ResourceRecordSet><Name>${name}.</Name><Type>${type}</Type></ResourceRecordSet>`);
  const names = ['theirs.example.dev', ...(foreign.domainName ? [foreign.domainName] : [])];
  const byPath: Record<string, string> = {
    '/2013-04-01/hostedzone': `<ListHostedZonesResponse><HostedZones>${zone('ZONE1', 'apps.example.dev')}${zone('ZONE2', 'example.dev')}</HostedZones><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems></ListHostedZonesResponse>`,
    '/2013-04-01/hostedzone/ZONE1/rrset': `<ListResourceRecordSetsResponse><ResourceRecordSets>${records.join('')}</ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems></ListResourceRecordSetsResponse>`,
    '/domainnames': JSON.stringify({ item: names.map(domainName => ({ domainName })) }),
    ...Object.fromEntries(
      names.map(name => [
        `/domainnames/${name}/basepathmappings`,
        JSON.stringify({
          item: [{ basePath: 'old', restApiId: name === foreign.domainName ? 'api1' : 'other' }],
        }),
      ]),
    ),
  };
  const { endpoint } = await testServer(async (request, response) => {
    const found = request.method === 'GET' && byPath[request.url?.split('?')[0] ?? ''];
    if (found) return void response.end(found);
    const body = await text(request);
    const [action = ''] = /(?<=Action=)\w+/.exec(body) ?? [];
    if (action === '') onDisabled(JSON.parse(body).Name);
    const results: Record<string, string> = {
      DescribeStacks: '<Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
      ListStackResources: `<StackResourceSummaries>${resources.join('')}</StackResourceSummaries>`,
    };
    const xml = `<${action}Response><${action}Result>${results[action]}</${action}Result></${action}Response>`;
    response.end(action === '' ? '{}' : xml);
  });
  return endpoint;
}

const redirect = { to: 'www.example.com', status: 301 };
const WWW = { domain: 'www.example.com', primary: true };
const APEX = { domain: 'example.com', redirect };
const SHOP = { domain: 'shop.example.net', project: 'shop' };
const STOPPED = 'disable MonitoringCanaryEveryFewMinutes';
const YES = 'teardown --yes --timeout 0s';

describe('teardown', () => {
  test('3: names what others have in the zone and on the API, with which the stack cannot be deleted', async () => {
    const foreign = { record: 'blog.apps.example.dev', domainName: 'mapped.example.dev' };
    const operator = await operatorOf([], 0, foreign);
    const { stdout, exitCode } = await petstoreHere(YES, operator.environment);
    expect(stdout).toContain(
      "The hosted zone of apps.example.dev has records that this environment didn't create: blog.apps.example.dev TXT. Delete them.\n",
    );
    expect(stdout).toContain("delete-base-path-mapping --domain-name mapped.example.dev --base-path 'old'\n");
    expect(stdout).not.toContain('cdk destroy');
    expect(exitCode).toBe(3);
  });

  test('0: removes every domain of every project, then the keys, and says what it leaves', async () => {
    const operator = await operatorOf([WWW, APEX, SHOP]);
    const { stdout, stderr, exitCode } = await petstoreHere(YES, operator.environment);
    expect(operator.changes()).toEqual([
      STOPPED,
      'domains.remove example.com',
      'domains.remove shop.example.net',
      'domains.remove www.example.com',
      'projects.withdraw',
      'keys.withdraw',
      'keys.withdraw',
    ]);
    expect(stderr).toContain('Deleting the AWS resources of www.example.com …');
    expect(stderr).toMatch(/2 to go\.\n.*1 to go\.\n.*0 to go\./);
    expect(stdout).toContain('Removed from staging: 3 domains, 1 domain name of default URLs, 3 API keys.');
    expect(stdout).toMatch(
      /Left in place:\n {2}The tables: .*They are deleted with the stack\.\n {2}The hosted zone/,
    );
    expect(stdout).toMatch(/Next:\n {2}npx cdk destroy Petstore-Staging\n$/);
    expect(exitCode).toBe(0);
  });

  test('4: keeps the keys while removals go on, and finishes when it is repeated', async () => {
    const operator = await operatorOf([WWW], 2);
    const first = await petstoreHere(YES, operator.environment);
    expect(first.exitCode).toBe(4);
    expect(first.stdout).toContain('www.example.com is still removing');
    expect(first.stdout).toContain("The stack can't be deleted yet. Run again:\n  petstore teardown\n");
    expect((await petstoreHere(YES, operator.environment)).exitCode).toBe(0);
    const last = ['projects.withdraw', 'keys.withdraw', 'keys.withdraw'];
    expect(operator.changes()).toEqual([STOPPED, 'domains.remove www.example.com', STOPPED, ...last]);
  });

  test('0: goes on, and says so, if the canary can’t be stopped', async () => {
    const operator = await operatorOf();
    const closed = { ...operator.environment, AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://127.0.0.1:1' };
    const { stderr, exitCode } = await petstoreHere(YES, { ...closed, AWS_MAX_ATTEMPTS: '1' });
    expect(stderr).toContain("The canary couldn't be stopped, so its alarm may page: connect ECONNREFUSED");
    expect(exitCode).toBe(0);
  });

  test('0: --json prints only the result, and it may be repeated when nothing is left', async () => {
    const operator = await operatorOf();
    const run = await petstoreHere(`${YES} --json`, operator.environment);
    expect(JSON.parse(run.stdout)).toEqual({
      stage: 'staging',
      obstacles: [],
      domains: { removed: [], remaining: [] },
      defaultUrls: { removed: URLS, remaining: 0 },
      keys: { removed: KEYS, remaining: 0 },
      leaves: expect.arrayContaining([expect.stringContaining('The tables')]),
      next: ['npx cdk destroy Petstore-Staging'],
    });
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    const { stdout, stderr, exitCode } = await petstoreHere(YES, operator.environment);
    expect(stderr).toContain('There are no custom domains in staging.');
    expect(stdout).toContain('Removed from staging: 0 domains, 0 domain names of default URLs, 0 API keys.');
    expect(exitCode).toBe(0);
  });

  test('3: asks once more for a removal that has stalled, and says why it has', async () => {
    const stalled = { reason: 'certificate_in_use', message: 'A record is in the way.' } as object;
    const operator = await operatorOf([{ ...WWW, status: 'removing', ...stalled }]);
    const { stdout, exitCode } = await petstoreHere(YES, operator.environment);
    expect(operator.changes()).toEqual([STOPPED, 'domains.remove www.example.com']);
    expect(stdout).toContain('www.example.com is still removing: A record is in the way.');
    expect(exitCode).toBe(3);
  });

  test('2: changes nothing without a terminal and without --yes', async () => {
    const operator = await operatorOf([WWW]);
    const { stderr, exitCode } = await petstoreHere('teardown', operator.environment);
    expect(stderr).toContain('  www.example.com (petstore)\n');
    expect(stderr).toContain('This takes staging out of service.');
    expect(stderr).toContain('Re-run with --yes');
    expect([exitCode, operator.changes()]).toEqual([2, []]);
  });

  test('2: --yes is not enough in production, and the name must be right', async () => {
    const operator = await operatorOf([WWW]);
    const production = `${YES} --stage production`;
    const unnamed = await petstoreHere(production, operator.environment);
    expect(unnamed.stderr).toContain('Re-run with --confirm production');
    const misnamed = await petstoreHere(`${production} --confirm staging`, operator.environment);
    expect(misnamed.stderr).toContain('--confirm is "staging", and the environment is "production".');
    expect([unnamed.exitCode, misnamed.exitCode, operator.changes()]).toEqual([2, 2, []]);
  });

  test('0: --confirm production says how to lift the protection of the stack, and what its deletion keeps', async () => {
    const operator = await operatorOf();
    const line = 'teardown --stage production --confirm production';
    const { stdout, exitCode } = await petstoreHere(line, operator.environment);
    expect(stdout.match(/Deleting the stack keeps/g)).toHaveLength(3);
    expect(stdout).toContain('\n  The role that API Gateway writes logs with, ');
    expect(stdout).toMatch(
      /Next, right away \(.+\):\n {2}aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Petstore-Production\n {2}npx cdk destroy Petstore-Production\n$/,
    );
    expect(exitCode).toBe(0);
  });
});

test('the deletion of a personal environment names it, with the profile of the command', () => {
  expect(remainsOf(targetOf({ stage: 'jane', profile: 'zoo' })).deletion).toEqual([
    'npx cdk destroy Petstore-Jane -c environment=jane --profile zoo',
  ]);
});

test('on this machine the data folder is deleted, which all environments share', () => {
  const target = targetOf({ stage: 'staging' });
  expect(remainsOf({ ...target, isLocal: true }).deletion).toEqual([
    expect.stringMatching(/^rm -r \.local .*deletes the data of all environments/),
  ]);
});
