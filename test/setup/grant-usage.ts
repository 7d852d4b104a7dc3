import { type Resource, readResources, roleStatements, stacksOf } from '../../infra/local/template.ts';
import type { LedgerLine } from '../../infra/local/testing/grant-ledger.ts';

/** One action on one resource that a role is allowed, as the templates of all stacks have it. */
interface Grant {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

/** The grants of a stack, and the names by which the grants of several stacks are compared. */
export interface StackGrants {
  readonly stack: string;
  readonly grants: readonly Grant[];
  /** A resource without what differs between stacks. */
  readonly nameOf: (resource: string) => string;
}

/** A grant that the test run does not use, and why the role has it nevertheless. */
interface RareGrant {
  readonly grant: RegExp;
  readonly reason: string;
}

export interface Exceptions {
  readonly rareGrants: readonly RareGrant[];
  /** Calls that a role may be denied. A run need not make them. */
  readonly expectedDenials: readonly RareGrant[];
}

interface GrantRow {
  /** Such as `PetsListPetsRole: dynamodb:Query on table/PetsTable`. */
  readonly grant: string;
  readonly times: number;
  /** Why the grant may be unused. */
  readonly reason: string | undefined;
}

interface GrantUsage {
  readonly rows: readonly GrantRow[];
  /** What the run shows to be wrong, a line each. */
  readonly faults: readonly string[];
  /** What is wrong if the run made every call, a line each. */
  readonly unused: readonly string[];
}

/** Compares the calls that roles made with what they are granted. The stacks have the same roles, so they count together. */
export function grantUsage(
  stacks: readonly StackGrants[],
  ledger: readonly LedgerLine[],
  { rareGrants, expectedDenials }: Exceptions,
): GrantUsage {
  const timesByGrant = new Map<string, number>();
  for (const { grants, nameOf } of stacks) {
    for (const grant of grants) timesByGrant.set(textOf(grant, nameOf), 0);
  }
  const denied = new Set<string>();
  for (const { stack, role, action, resource, grant, times } of ledger) {
    const declared = stacks.find(candidate => candidate.stack === stack);
    // A test that deploys a template of its own may have other stacks and roles.
    if (!declared?.grants.some(candidate => candidate.role === role)) continue;
    if (grant === undefined) denied.add(textOf({ role, action, resource }, declared.nameOf));
    else {
      const text = textOf({ role, ...grant }, declared.nameOf);
      timesByGrant.set(text, (timesByGrant.get(text) ?? 0) + times);
    }
  }
  const rows = [...timesByGrant].map(([grant, times]) => ({
    grant,
    times,
    reason: rareGrants.find(rare => rare.grant.test(grant))?.reason,
  }));
  // A rare grant may be used by chance; one that no role has is listed for nothing.
  const needless = rareGrants.filter(rare => !rows.some(({ grant }) => rare.grant.test(grant)));
  return {
    rows,
    faults: [
      ...[...denied]
        .filter(call => !expectedDenials.some(({ grant }) => grant.test(call)))
        .map(call => `a role made a call that it is not granted: ${call}`),
      ...needless.map(rare => `a grant is listed as rare that no role has: ${rare.grant}`),
    ],
    unused: rows
      .filter(({ times, reason }) => times === 0 && reason === undefined)
      .map(({ grant }) => `a grant was never used: ${grant}`),
  };
}

function textOf({ role, action, resource }: Grant, nameOf: (resource: string) => string): string {
  return `${nameOf(role)}: ${action} on ${nameOf(resource)}`;
}

/** What the roles of a cloud assembly are allowed. */
export function stackGrants(assembly: string): StackGrants[] {
  return stacksOf(assembly).map(stack => {
    const resources = readResources(assembly, stack);
    return { stack, grants: grantsOf(resources), nameOf: stackNames(stack, resources) };
  });
}

function grantsOf(resources: readonly Resource[]): Grant[] {
  return [...roleStatements(resources)].flatMap(([{ logicalId: role }, statements]) =>
    statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        Action.flatMap(action => Resource.map(resource => ({ role, action, resource }))),
      ),
  );
}

/** Names resources by their logical ids, without the hashes, and calls stack and stage <stack> and <stage>. */
function stackNames(stack: string, resources: readonly Resource[]): StackGrants['nameOf'] {
  const logicalIds = resources
    // A stage's id is its name, which is also a word in other names.
    .filter(({ type }) => type !== 'AWS::ApiGateway::Stage')
    .map(({ physicalId, logicalId }) => ({ physicalId, logicalId }))
    .toSorted((a, b) => b.physicalId.length - a.physicalId.length);
  const stage = stack.slice(stack.lastIndexOf('-') + 1).toLowerCase();
  return text => {
    const named = logicalIds.reduce(
      (result, { physicalId, logicalId }) => result.replaceAll(physicalId, logicalId),
      text,
    );
    return named
      .replace(/^arn:[^:]*:[^:]*:[^:]*:[^:]*:/, '')
      .replaceAll(stack, '<stack>')
      .replaceAll(new RegExp(`\\b${stage}\\b`, 'g'), '<stage>')
      .replaceAll(/(?<=[A-Za-z])[0-9A-F]{8}(?![0-9A-Za-z])/g, '');
  };
}

/** The grants that neither a test of the service nor the simulation uses, each with the reason why the role has it. */
const RARE_GRANTS: readonly RareGrant[] = [
  {
    grant: /: logs:(CreateLogStream|PutLogEvents) on /,
    reason: 'Lambda writes the log of a function; the local AWS writes it to a file without a call.',
  },
  {
    grant: /^DomainFlowTendRole: lambda:InvokeFunction on function:\w+:\*$/,
    reason: 'CDK adds the versions of a function, and the machine invokes the function itself.',
  },
  {
    grant: /^DomainChecksReconcileDomainsRole: acm:(Delete|ListTagsFor)Certificate on /,
    reason:
      'It acts where the operator ended between a change and what follows from it, or an execution died; test/shared/domains/pass makes it do so.',
  },
  {
    grant: /^ProjectsReconcileEndpointRole: acm:(Delete|ListTagsFor)Certificate on /,
    reason:
      'The certificate of default URLs failed, or its request was cut off; test/shared/domains/default-urls.test.ts does that.',
  },
  {
    grant: /^OperatorOperateRole: dynamodb:PutItem on table\/PetsCreations/,
    reason: 'accept has this function carry out what smoke has the function for checks do.',
  },
  {
    grant: /^(OperatorOperate|ProjectsReconcileEndpoint)Role: apigateway:PATCH on \/restapis\//,
    reason:
      'No test of the running service closes the default endpoint, which its other tests use; test/shared/projects does.',
  },
  {
    grant:
      /^ProjectsReconcileEndpointRole: (dynamodb:UpdateItem on table\/ProjectsTable|cloudformation:DescribeStacks on )/,
    reason: 'The event of a deploy was lost; test/functions/projects makes it record the deploy.',
  },
  {
    grant: /^OperatorCheckRole: acm:DeleteCertificate on /,
    reason: 'A certificate of the claim failed before the domain was added once more.',
  },
  {
    grant:
      /^OperatorCheckRole: (acm:ListTagsForCertificate|route53:ListResourceRecordSets|dynamodb:(Scan|ConditionCheckItem|DeleteItem) on table\/DomainsTable)/,
    reason:
      'Smoke claims a name that is new; the commands need these for one that somebody has, or had, and doctor runs on a service of its own.',
  },
  {
    grant: /^ProjectsReconcileEndpointRole: apigateway:PATCH on \/domainnames\/\*$/,
    reason: 'The certificate of a domain that was live is replaced after it was lost.',
  },
  {
    grant: /^DomainFlowTendDomainRole: apigateway:PATCH on \/domainnames\/\*\/basepathmappings\/\*$/,
    reason: 'Another routing supersedes the attachment.',
  },
  {
    grant: /^ProjectsReconcileEndpointRole: apigateway:DELETE on \/domainnames\/\*\/basepathmappings\/\*$/,
    reason: 'The default URL of a project is closed, and no command has deleted its mapping.',
  },
  {
    grant: /^OperatorCheckRole: apigateway:(PATCH|DELETE) on \/domainnames\/\*\/basepathmappings\/\*$/,
    reason:
      'The schedule may be faster to map the default URL of smoke’s project, and the pass to delete the mapping of its domain.',
  },
];

/** The calls that a role may be denied, each with the reason. */
const EXPECTED_DENIALS: readonly RareGrant[] = [
  {
    grant: /: (apigateway:DELETE on \/apikeys\/|acm:DeleteCertificate on certificate\/)/,
    reason:
      'Another call deleted it after it was listed: what is gone has no tags, which the grant asks for.',
  },
];

export const GRANT_EXCEPTIONS: Exceptions = {
  rareGrants: RARE_GRANTS,
  expectedDenials: EXPECTED_DENIALS,
};
