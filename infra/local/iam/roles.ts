import { ACCOUNT_ID, PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import type { Statement } from './policy-document.ts';
import { Policy } from './policy-type.ts';
import type { Principal } from './principal.ts';
import { Role, roleArn } from './role-type.ts';
import { wildcard } from './wildcards.ts';

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
      denial: (action, resource) => {
        const reason = this.#denialReason(action, resource);
        return (
          reason && `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`
        );
      },
    };
  }

  #denialReason(action: string, resource: string): string | undefined {
    const effects = this.#statements
      .filter(statement => statement.matches(action, resource))
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
  matches(action: string, resource: string): boolean;
}

function compiled({ Effect, Action, Resource }: Statement): CompiledStatement {
  // Actions are compared without regard to case, resources with regard to it.
  const actions = Action.map(pattern => wildcard(pattern, 'i'));
  const resources = Resource.map(pattern => wildcard(pattern));
  return {
    effect: Effect,
    matches: (action, resource) =>
      actions.some(matches => matches(action)) && resources.some(matches => matches(resource)),
  };
}
