import { ACCOUNT_ID, PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { areMet } from './conditions.ts';
import type { Statement } from './policy-document.ts';
import { Policy } from './policy-type.ts';
import type { Principal, RequestContext } from './principal.ts';
import { Role, roleArn } from './role-type.ts';
import { matchesWildcards } from './wildcards.ts';

const NO_CONTEXT: RequestContext = { keys: {} };

/** A role with the statements of all its policies. */
export class DeclaredRole {
  readonly #name: string;
  readonly #statements: readonly CompiledStatement[];

  constructor(name: string, statements: readonly Statement[]) {
    this.#name = name;
    this.#statements = statements.map(compiled);
  }

  /** The role as the principal of a session. Sessions are named after the function or execution that assumes it. */
  assumedBy(sessionName: string): Principal {
    const user = `arn:${PARTITION}:sts::${ACCOUNT_ID}:assumed-role/${this.#name}/${sessionName}`;
    return {
      denial: (action, resource, context = NO_CONTEXT) => {
        const reason = this.#denialReason(action, resource, context);
        return (
          reason && `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`
        );
      },
    };
  }

  #denialReason(action: string, resource: string, context: RequestContext): string | undefined {
    const effects = this.#statements
      .filter(statement => statement.matches(action, resource, context))
      .map(({ effect }) => effect);
    if (effects.includes('Deny')) {
      return 'with an explicit deny in an identity-based policy';
    }
    return effects.includes('Allow')
      ? undefined
      : `because no identity-based policy allows the ${action} action`;
  }
}

/** The declared roles by ARN, each with its own policies and those of the AWS::IAM::Policy resources that list it. */
export function declaredRoles(resources: readonly Resource[]): ReadonlyMap<string, DeclaredRole> {
  const statementsByRole = new Map<string, Statement[]>();
  for (const resource of resources) {
    if (resource.type === 'AWS::IAM::Role') {
      const { Policies } = parseProperties(Role, resource.properties, resource);
      const inline = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      statementsByRole.set(resource.physicalId, inline);
    }
  }
  for (const resource of resources) {
    if (resource.type === 'AWS::IAM::Policy') {
      const { Roles, PolicyDocument } = parseProperties(Policy, resource.properties, resource);
      for (const role of Roles) {
        statementsByRole.get(role)?.push(...PolicyDocument.Statement);
      }
    }
  }
  return new Map(
    [...statementsByRole].map(([name, statements]) => [roleArn(name), new DeclaredRole(name, statements)]),
  );
}

interface CompiledStatement {
  readonly effect: 'Allow' | 'Deny';
  matches(action: string, resource: string, context: RequestContext): boolean;
}

function compiled({ Effect, Action, Resource, Condition = {} }: Statement): CompiledStatement {
  // Actions are compared without regard to case, resources with regard to it.
  const actions = Action.map(pattern => pattern.toLowerCase());
  return {
    effect: Effect,
    matches: (action, resource, context) =>
      actions.some(pattern => matchesWildcards(pattern, action.toLowerCase())) &&
      Resource.some(pattern => matchesWildcards(pattern, resource)) &&
      areMet(Condition, context),
  };
}
