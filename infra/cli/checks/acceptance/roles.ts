import { ENVIRONMENT_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { readStack } from '../../environment/deployed-stack.ts';
import { type Finding, failed, ok, undecided } from '../check.ts';
import type { Acceptance } from './report.ts';

const FOREIGN = 'petstore-accept.example.com';
const CERTIFICATE = '00000000-0000-0000-0000-000000000000';

/** The function that creates and deletes what domains need at AWS. */
const TENDER = 'TendDomain';

/** An action of that function on something with this tag, and whether IAM has to allow it. */
interface RoleTrial {
  readonly action: string;
  readonly resource: string;
  readonly tag: string | undefined;
  readonly isAllowed: boolean;
}

export async function simulateRoles({ session, region, callerArn }: Acceptance): Promise<Finding> {
  if (callerArn === undefined) return undecided("AWS didn't say whose credentials these are");
  const { stage, stackName } = session.target;
  const options = { ...session.target.aws, region };
  const { IAMClient, SimulatePrincipalPolicyCommand } = await import('@aws-sdk/client-iam');
  const iam = new IAMClient(options);
  const stack = await readStack(stackName, options);
  const [, partition, , , account] = callerArn.split(':');
  const gateway = `arn:${partition}:apigateway:${region}::`;
  const name = encodeURIComponent(`${gateway}/domainnames/${FOREIGN}`);
  const attach = (action: string, path: string) =>
    [stage, 'other', undefined].map(tag => ({
      action: `apigateway:${action}`,
      resource: `${gateway}${path}`,
      tag,
      // What is being created has no tags, and must get some.
      isAllowed: tag === stage || (action === 'PUT' && tag === undefined),
    }));
  const trials: RoleTrial[] = [
    ...attach('PATCH', `/domainnames/${FOREIGN}/basepathmappings/(none)`),
    ...attach('PUT', `/tags/${name}`),
    ...[stage, 'other', undefined].map(tag => ({
      action: 'acm:AddTagsToCertificate',
      tag,
      isAllowed: false,
      resource: `arn:${partition}:acm:${region}:${account}:certificate/${CERTIFICATE}`,
    })),
  ];
  const facts: string[] = [];
  const wrong: string[] = [];
  const [role] = stack?.resourcesOf('AWS::IAM::Role', `DomainFlow${TENDER}`) ?? [];
  if (role === undefined) return failed(`${stackName} has no role for ${TENDER}`);
  for (const trial of trials) {
    const tags = { request: stage, ...(trial.tag && { resource: trial.tag }) };
    const entries = Object.entries(tags).map(([of, value]) => ({
      ContextKeyName: `aws:${of === 'request' ? 'Request' : 'Resource'}Tag/${ENVIRONMENT_TAG}`,
      ContextKeyValues: [value],
      ContextKeyType: 'string' as const,
    }));
    const { EvaluationResults: [evaluated] = [] } = await iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: `arn:${partition}:iam::${account}:role/${role}`,
        ActionNames: [trial.action],
        ResourceArns: [trial.resource],
        ContextEntries: entries,
      }),
    );
    const decision = evaluated?.EvalDecision;
    const whose = { [stage]: 'this environment', other: 'another environment' }[trial.tag ?? ''] ?? 'nobody';
    const fact = `${TENDER}: ${trial.action}, tagged by ${whose}: ${decision}`;
    facts.push(fact);
    if ((decision === 'allowed') !== trial.isAllowed) wrong.push(fact);
  }
  const limits = [
    'A mapping that is being created has no tags yet: the function reads the tags of the domain name first.',
    'A simulation evaluates the policies of a role, not which tags AWS passes. The step domains shows that it passes them: a certificate, a name and a removal need them.',
  ];
  return wrong.length > 0
    ? failed(wrong.join('; '), facts)
    : ok('nothing of others can be changed or tagged, except a name that nobody tagged', [
        ...facts,
        ...limits,
      ]);
}
