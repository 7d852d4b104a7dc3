import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import { claimOf, type Domain } from '../../shared/domains/life/domain.ts';
import type { RecordChange } from './route53-model.ts';
import { type EnvironmentName, MANAGED_ZONE } from './service.ts';
import { validationOf } from './validation-record.ts';
import type { Actor } from './virtual-time.ts';
import type { World } from './world.ts';

/** Nothing of others is touched: notes a violation when a function changes what belongs to somebody else. */
export function guardOwnership(world: World): void {
  const claimsOf = (environment: string) => world[environment as EnvironmentName].domains();
  const claimWithTags = (tags: Readonly<Record<string, string>>, environment: string): Domain | undefined =>
    tags[ENVIRONMENT_TAG] === environment
      ? claimsOf(environment).find(claim => claimOf(claim) === tags[CLAIM_TAG])
      : undefined;

  /** Whether tags prove that something belongs to the environment and the project that a function works for. */
  const isOwn = (tags: Readonly<Record<string, string>>, { environment, project }: Actor): boolean => {
    const claim = claimWithTags(tags, environment);
    return claim !== undefined && [claim.project, undefined].includes(project);
  };

  world.gateway.onChange = (domain, { tags }, change, by) => {
    if (!isOwn(tags, by)) {
      world.violate(
        `${by.name} of ${by.environment} touches the domain name ${domain} of others (${change})`,
      );
    }
  };

  world.acm.onChange = (certificate, change, by) => {
    const tags = Object.fromEntries(certificate.tags.map(({ Key = '', Value = '' }) => [Key, Value]));
    if (change === 'request') noteShared(certificate.domain);
    // An add that was committed by its second delivery may request a certificate for a claim that is gone by now.
    const isInEnvironment = tags[ENVIRONMENT_TAG] === by.environment && tags[CLAIM_TAG] !== undefined;
    if (change === 'request' ? !isInEnvironment : !isOwn(tags, by)) {
      const { arn, domain } = certificate;
      world.violate(`${by.name} of ${by.environment} touches ${arn} of others for ${domain} (${change})`);
    }
  };

  world.route53.onChange = (change, by) => {
    const { Name, Type } = change.set;
    const isAllowed =
      change.zoneId === MANAGED_ZONE.id
        ? isOwnManagedRecord(change, by)
        : change.zoneId === world[by.environment as EnvironmentName].platformZone.id;
    if (!isAllowed)
      world.violate(`${by.name} of ${by.environment} changes the ${Type} record ${Name} of others`);
  };

  /** The environments and teams that share the validation record of a name do not know who is the last to need it. */
  function noteShared(domain: string): void {
    const requested = [...world.acm.certificates.values()].filter(
      certificate => certificate.domain === domain,
    );
    const environments = requested.map(({ tags }) => tags.find(({ Key }) => Key === ENVIRONMENT_TAG)?.Value);
    if (new Set(environments).size > 1) world.sharedValidations.add(validationOf(domain).name);
  }

  /** In the managed zone records are created, and those of the own claims deleted. */
  function isOwnManagedRecord({ action, set, existing }: RecordChange, by: Actor): boolean {
    if (action === 'CREATE') return true;
    if (action !== 'DELETE' || !existing) return false;
    const text = JSON.stringify(set);
    const validated = [...world.acm.certificates.values()].filter(
      ({ domain }) => validationOf(domain).name === set.Name,
    );
    // A certificate that ACM did not list yet when the deletion began is at the beginning of its own flow, which creates
    // the record again. Those of other claims in the environment belong to projects that have not proven the name.
    const isNeeded = validated.some(
      ({ tags, listedAtMs }) =>
        listedAtMs < by.startedAtMs &&
        !tags.some(({ Key, Value }) => Key === ENVIRONMENT_TAG && Value === by.environment),
    );
    const isOfOther = world.environments.some(environment =>
      environment
        .domains()
        .some(
          ({ project, target, challenge }) =>
            (text.includes(target) || text.includes(challenge)) &&
            (environment.name !== by.environment || ![project, undefined].includes(by.project)),
        ),
    );
    return !isNeeded && !isOfOther;
  }
}
