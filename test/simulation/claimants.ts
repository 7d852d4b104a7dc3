import { MANAGED_ZONE } from './service.ts';

/** Three projects compete for the same names. The last one is a squatter: it never has the records set. */
export const PROJECTS = ['alpha', 'beta', 'gamma'] as const;
export const SQUATTER = 'gamma';

/** A subdomain and an apex, each at the owner's provider, in a delegated sub-zone, and in a zone of the account. */
export const NAMES = [
  'www.zoo.com',
  'zoo.com',
  'shop.dev.zoo.com',
  'dev.zoo.com',
  `www.${MANAGED_ZONE.name}`,
  MANAGED_ZONE.name,
] as const;
