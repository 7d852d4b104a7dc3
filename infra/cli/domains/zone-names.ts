import { getDomain } from 'tldts';

/**
 * The registrable domain that a name belongs to, by the public suffix list: example.co.uk for www.example.co.uk;
 * undefined for a name such as co.uk that nobody can register.
 */
export function registrableOf(name: string): string | undefined {
  // tldts does not accept a wildcard, which belongs to the same registrable domain as its parent.
  return getDomain(name.replace(/^\*\./, ''), { allowPrivateDomains: true }) ?? undefined;
}

/** Whether the name is the name of the zone or below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
