import * as z from 'zod';
import { ACCOUNT_ID, PARTITION } from '../cloudformation/pseudo-parameters.ts';
import {
  nameOf,
  noEffect,
  parseProperties,
  type Resource,
  type ResourceType,
  resourcesOf,
  shortId,
} from '../cloudformation/resource-type.ts';
import { areMet, Conditions } from './conditions.ts';
import type { GrantLedger, RoleCall } from './grant-ledger.ts';
import type { Principal, RequestContext } from './principal.ts';
import { matchesWildcards } from './wildcards.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform(value => [value].flat());

const resourcePattern = oneOrMore.refine(patterns => patterns.every(pattern => !pattern.includes('${')), {
  message: 'policy variables are not supported',
});

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: resourcePattern,
  Condition: Conditions.optional(),
});
export type Statement = z.output<typeof Statement>;

/** An identity-based policy. NotAction, NotResource and unknown conditions are rejected by name. */
export const PolicyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.preprocess(statements => [statements].flat(), z.array(Statement)),
});

/** AWS::IAM::Policy: an inline policy of the listed roles. */
export const Policy = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument,
  Roles: z.array(z.string()).default([]),
});

export const policyType: ResourceType = {
  properties: Policy,
  ref: declaration => String(declaration.property('PolicyName')),
  attributes: { Id: declaration => shortId(declaration, 17) },
};

/** AWS::IAM::ManagedPolicy: CDK makes one of what is too long for the inline policy of a role. */
const ManagedPolicy = Policy.omit({ PolicyName: true }).extend({
  Description: noEffect,
  Path: z.literal('/').optional(),
});

export const managedPolicyType: ResourceType = {
  properties: ManagedPolicy,
  ref: declaration =>
    `arn:${PARTITION}:iam::${ACCOUNT_ID}:policy/${nameOf(declaration, 'ManagedPolicyName')}`,
};

/** Managed policies that allow writing logs and traces, which needs no permission in the local AWS. */
const MANAGED_POLICIES_WITHOUT_EFFECT = [
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  'AWSXRayDaemonWriteAccess',
  'AWSXrayWriteOnlyAccess',
];

const managedPolicyArn = z.enum(
  MANAGED_POLICIES_WITHOUT_EFFECT.map(name => `arn:${PARTITION}:iam::aws:policy/${name}`),
);

/** AWS::IAM::Role. */
export const Role = z.strictObject({
  RoleName: z.string().optional(),
  Path: z.literal('/').optional(),
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument })).default([]),
  ManagedPolicyArns: z.array(managedPolicyArn).default([]),
  Description: noEffect,
  MaxSessionDuration: noEffect,
  Tags: noEffect,
});

export const roleArn = (name: string) => `arn:${PARTITION}:iam::${ACCOUNT_ID}:role/${name}`;

/** Of a session of a role. */
export const sessionArn = (role: string, session: string) =>
  `arn:${PARTITION}:sts::${ACCOUNT_ID}:assumed-role/${role}/${session}`;

export const roleType: ResourceType = {
  properties: Role,
  ref: declaration => nameOf(declaration, 'RoleName'),
  attributes: {
    Arn: declaration => roleArn(nameOf(declaration, 'RoleName')),
    RoleId: declaration => `AROA${shortId(declaration, 17).toUpperCase()}`,
  },
};

const NO_CONTEXT: RequestContext = { keys: {} };

/** A role with the statements of all its policies. */
export class DeclaredRole {
  readonly #name: string;
  readonly #statements: readonly Statement[];
  readonly #record: RecordCall;
  /** The statements about an action, by the action: most are about a few of many. */
  readonly #byAction = new Map<string, readonly StatementOfAction[]>();

  constructor(name: string, statements: readonly Statement[], record: RecordCall = () => {}) {
    this.#name = name;
    this.#statements = statements;
    this.#record = record;
  }

  /** The role as the principal of a session. Sessions are named after the function or execution that assumes it. */
  assumedBy(sessionName: string): Principal {
    const user = sessionArn(this.#name, sessionName);
    return {
      denial: (action, resource, context = NO_CONTEXT) => {
        const reason = this.#denialReason(action, resource, context);
        return (
          reason && `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`
        );
      },
    };
  }

  #about(action: string): readonly StatementOfAction[] {
    const known = this.#byAction.get(action);
    if (known !== undefined) return known;
    // The case of actions is ignored, that of resources is not.
    const about = this.#statements.flatMap(statement => {
      const pattern = statement.Action.find(each =>
        matchesWildcards(each.toLowerCase(), action.toLowerCase()),
      );
      return pattern === undefined ? [] : [{ statement, pattern }];
    });
    this.#byAction.set(action, about);
    return about;
  }

  #denialReason(action: string, resource: string, context: RequestContext): string | undefined {
    const matching = this.#about(action).flatMap(of => match(of, resource, context) ?? []);
    const isDenied = matching.some(({ effect }) => effect === 'Deny');
    const allowing = isDenied ? undefined : matching.toSorted(byNarrowness)[0];
    this.#record({ action, resource, ...(allowing && { grant: allowing.grant }) });
    if (isDenied) return 'with an explicit deny in an identity-based policy';
    return allowing ? undefined : `because no identity-based policy allows the ${action} action`;
  }
}

/** Records a call of the role. */
type RecordCall = (call: Omit<RoleCall, 'stack' | 'role'>) => void;

/**
 * The declared roles by ARN, each with its own policies and those of the AWS::IAM::Policy resources that list it. Their
 * calls are recorded in the ledger.
 */
export function declaredRoles(
  resources: readonly Resource[],
  ledger?: GrantLedger,
): ReadonlyMap<string, DeclaredRole> {
  return new Map(
    [...roleStatements(resources)].map(([{ stack, logicalId, physicalId }, statements]) => {
      const record: RecordCall = call => ledger?.record({ stack, role: logicalId, ...call });
      return [roleArn(physicalId), new DeclaredRole(physicalId, statements, record)];
    }),
  );
}

/** The statements of each role, those of its own policies first. */
export function roleStatements(resources: readonly Resource[]): ReadonlyMap<Resource, readonly Statement[]> {
  const roles = new Map<string, { readonly role: Resource; readonly statements: Statement[] }>();
  for (const role of resources.filter(({ type }) => type === 'AWS::IAM::Role')) {
    const { Policies } = parseProperties(Role, role.properties, role);
    const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    roles.set(role.physicalId, { role, statements });
  }
  const policies = [
    ...resourcesOf('AWS::IAM::Policy', Policy, resources),
    ...resourcesOf('AWS::IAM::ManagedPolicy', ManagedPolicy, resources),
  ];
  for (const { Roles, PolicyDocument } of policies.map(({ properties }) => properties)) {
    for (const role of Roles) roles.get(role)?.statements.push(...PolicyDocument.Statement);
  }
  return new Map([...roles.values()].map(({ role, statements }) => [role, statements]));
}

interface MatchedStatement {
  readonly effect: 'Allow' | 'Deny';
  /** The patterns that matched, of several resources the narrowest. */
  readonly grant: { readonly action: string; readonly resource: string };
}

/** Of two patterns that match the same resource, the longer is the narrower one: that is the grant that the call is for. */
function byNarrowness({ grant: left }: MatchedStatement, { grant: right }: MatchedStatement): number {
  return right.resource.length - left.resource.length;
}

/** A statement, and its pattern that an action matches. */
interface StatementOfAction {
  readonly statement: Statement;
  readonly pattern: string;
}

function match(
  { statement: { Effect: effect, Resource, Condition = {} }, pattern: action }: StatementOfAction,
  calledResource: string,
  context: RequestContext,
): MatchedStatement | undefined {
  if (!areMet(Condition, context)) return undefined;
  return Resource.filter(pattern => matchesWildcards(pattern, calledResource))
    .map(resource => ({ effect, grant: { action, resource } }))
    .toSorted(byNarrowness)[0];
}
