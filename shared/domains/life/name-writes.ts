import type { Write } from '../../aws/transaction.ts';
import type { Domain } from './domain.ts';
import { DOMAINS_TABLE } from './domain-table.ts';
import { MAX_UNVERIFIED_CLAIMS } from './unverified-claims.ts';

/** Another project has proven the name. The message is shown to strangers, so it does not say which project that is. */
export class DomainTaken extends Error {
  override readonly name = 'DomainTaken';

  constructor(domain: string) {
    super(`${domain} is in use by another project. If both are yours, remove it there first.`);
  }
}

/** The project has as many unverified claims as it may have. */
export class TooManyUnverified extends Error {
  override readonly name = 'TooManyUnverified';

  constructor(project: string) {
    super(
      `The project ${project} has ${MAX_UNVERIFIED_CLAIMS} domains that are not verified, and may have no more. Verify or remove some of them first.`,
    );
  }
}

/** The project has domains. */
export class ProjectHasDomains extends Error {
  override readonly name = 'ProjectHasDomains';
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`The project has the domains ${names.join(', ')}.`);
    this.names = names;
  }
}

/**
 * The writes of the items beside the claims (domain-table.ts): the owner of a name, and the names of a project. They are
 * part of the transactions that write the claims, so they always agree with them, however many commands run at once.
 */
export function nameWrites(tableName: string) {
  const ownerKey = ({ domain }: Domain) => ({ domain, project: DOMAINS_TABLE.ownerSortKey });
  const namesKey = (project: string) => ({ domain: DOMAINS_TABLE.namesPartitionKey, project });
  const isFreeOrOwn = 'attribute_not_exists(provenBy) OR provenBy = :project';

  const namesChange = ({ domain, project }: Domain, UpdateExpression: string): Write => ({
    item: {
      Update: {
        TableName: tableName,
        Key: namesKey(project),
        UpdateExpression,
        ExpressionAttributeValues: { ':name': new Set([domain]) },
      },
    },
    refusal: () => undefined,
  });

  return {
    /** Makes the project of a claim the owner of the name; refused with DomainTaken. */
    ownership: (claim: Domain): Write => ({
      item: {
        Put: {
          TableName: tableName,
          Item: { ...ownerKey(claim), provenBy: claim.project },
          ConditionExpression: isFreeOrOwn,
          ExpressionAttributeValues: { ':project': claim.project },
        },
      },
      refusal: () => new DomainTaken(claim.domain),
    }),

    /** Ends the ownership. Only the owner's claim may ask for it. */
    ownershipEnd: (claim: Domain): Write => ({
      item: {
        Delete: {
          TableName: tableName,
          Key: ownerKey(claim),
          ConditionExpression: isFreeOrOwn,
          ExpressionAttributeValues: { ':project': claim.project },
        },
      },
      refusal: () => new DomainTaken(claim.domain),
    }),

    /** Counts a new claim among the unverified ones of its project; refused with TooManyUnverified. */
    unverifiedCount: ({ domain, project }: Domain): Write => ({
      item: {
        Update: {
          TableName: tableName,
          Key: namesKey(project),
          UpdateExpression: 'ADD unverified :name',
          ConditionExpression: 'attribute_not_exists(unverified) OR size(unverified) < :max',
          ExpressionAttributeValues: { ':name': new Set([domain]), ':max': MAX_UNVERIFIED_CLAIMS },
        },
      },
      refusal: () => new TooManyUnverified(project),
    }),

    /** Counts a claim among the verified ones. */
    promotion: (claim: Domain): Write => namesChange(claim, 'DELETE unverified :name ADD verified :name'),

    /** No longer counts a claim. */
    countEnd: (claim: Domain): Write => namesChange(claim, 'DELETE unverified :name, verified :name'),

    /** Checks that a project has no claims; refused with ProjectHasDomains. */
    noClaimsCheck: (project: string): Write => ({
      item: {
        ConditionCheck: {
          TableName: tableName,
          Key: namesKey(project),
          ConditionExpression: 'attribute_not_exists(unverified) AND attribute_not_exists(verified)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: (present = {}) => {
        const { unverified = [], verified = [] } = present as Record<string, Iterable<string>>;
        return new ProjectHasDomains([...verified, ...unverified].toSorted());
      },
    }),
  };
}
