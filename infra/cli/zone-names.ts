import { getDomain } from 'tldts';

/**
 * The registrable domain that a name belongs to, by the public suffix list: example.co.uk for www.example.co.uk;
 * undefined for a name such as co.uk that nobody can register.
 */
export function registrableOf(name: string): string | undefined {
  // A wildcard is no host name, but it belongs where its parent does.
  return getDomain(name.replace(/^\*\./, ''), { allowPrivateDomains: true }) ?? undefined;
}

/** A name as DNS providers want it typed: without the domain that was registered, which itself is @. */
export function relativeName(name: string): string {
  const registrable = registrableOf(name);
  if (registrable === undefined) return name;
  return name === registrable ? '@' : name.slice(0, -registrable.length - 1);
}

/** Whether the name is the zone's own or below it. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
