import type { LedgerLine } from '../../infra/local/iam/grant-ledger.ts';

/** One action on one resource that a role is allowed, as the templates of all stacks have it. */
export interface Grant {
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
export interface RareGrant {
  readonly grant: RegExp;
  readonly reason: string;
}

export interface Exceptions {
  readonly rareGrants: readonly RareGrant[];
  /** Calls that a role may be denied. A run need not make them. */
  readonly expectedDenials: readonly RareGrant[];
}

export interface GrantRow {
  /** Such as `PetsListPetsRole: dynamodb:Query on table/PetsTable`. */
  readonly grant: string;
  readonly role: string;
  readonly times: number;
  /** Why the grant may be unused. */
  readonly reason: string | undefined;
}

export interface GrantUsage {
  readonly rows: readonly GrantRow[];
  /** What the run shows to be wrong, a line each. */
  readonly faults: readonly string[];
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
    role: grant.split(':')[0] ?? '',
    times,
    reason: rareGrants.find(rare => rare.grant.test(grant))?.reason,
  }));
  const unused = rows.filter(({ times }) => times === 0);
  // A rare grant may be used by chance; one that no role has is listed in vain.
  const needless = rareGrants.filter(rare => !rows.some(({ grant }) => rare.grant.test(grant)));
  return {
    rows,
    faults: [
      ...[...denied]
        .filter(call => !expectedDenials.some(({ grant }) => grant.test(call)))
        .map(call => `a role made a call that it is not granted: ${call}`),
      ...unused
        .filter(({ reason }) => reason === undefined)
        .map(({ grant }) => `a grant was never used: ${grant}`),
      ...needless.map(rare => `a grant is listed as rare that no role has: ${rare.grant}`),
    ],
  };
}

function textOf({ role, action, resource }: Grant, nameOf: (resource: string) => string): string {
  return `${nameOf(role)}: ${action} on ${nameOf(resource)}`;
}
