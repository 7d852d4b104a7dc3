import { CLAIM_TAG } from '../../shared/aws/ownership-tags.ts';
import { claimOf, type Domain } from '../../shared/domains/life/domain.ts';
import type { Environment } from './environment.ts';
import { MANAGED_ZONE } from './service.ts';
import { validationOf } from './validation-record.ts';
import type { World } from './world.ts';

/** The resources of a claim that exist, in words. */
export function resourcesOf(
  { domain, target, managed }: Domain,
  { acm, gateway, route53, sharedValidations }: World,
  { name: environment, platformZone }: Environment,
): string[] {
  const claim = claimOf({ target });
  const certificates = [...acm.certificates.values()].filter(({ tags }) =>
    tags.some(({ Value }) => Value === claim),
  );
  const isNeeded = (record: string) =>
    [...acm.certificates.values()].some(
      ({ domain: certified, tags }) =>
        validationOf(certified).name === record && !tags.some(({ Value }) => Value === environment),
    );
  return [
    ...certificates.map(({ arn }) => arn),
    ...(gateway.names.get(domain)?.tags[CLAIM_TAG] === claim ? [`the domain name ${domain}`] : []),
    ...(route53.find(platformZone.id, target, 'CNAME') ? [`the host ${target}`] : []),
    ...managed
      // ACM asks for the same record for all certificates of a name in the account, so those of others keep it.
      .filter(({ name }) => !sharedValidations.has(name) && !isNeeded(name))
      .filter(({ name, type, value }) => {
        const existing = route53.find(MANAGED_ZONE.id, name, type);
        return JSON.stringify(existing ?? '').includes(value);
      })
      .map(({ name, type }) => `the ${type} record ${name}`),
  ];
}
