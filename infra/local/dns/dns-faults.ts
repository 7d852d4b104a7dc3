import { normalizedName } from '../route53/domain-name.ts';

/**
 * How a name server fails: it answers SERVFAIL, refuses as a server does that was delegated a zone it does not have (a
 * lame delegation), does not answer at all, or sends every answer over UDP truncated, so that it has to be asked over TCP.
 */
export type DnsFault = 'SERVFAIL' | 'REFUSED' | 'silence' | 'truncation';

/** The zones and names whose name servers fail. Tests set them. */
export class DnsFaults {
  readonly #faultByName = new Map<string, DnsFault>();
  readonly #faultByZone = new Map<string, DnsFault>();

  /** Makes the server of the name's zone fail for this name alone. */
  set(name: string, fault: DnsFault): void {
    this.#faultByName.set(key(name), fault);
  }

  /** Makes the server of a zone fail for all names. */
  setZone(zone: string, fault: DnsFault): void {
    this.#faultByZone.set(key(zone), fault);
  }

  /** Ends the faults of a name, as a name and as a zone. */
  clear(name: string): void {
    this.#faultByName.delete(key(name));
    this.#faultByZone.delete(key(name));
  }

  /** The fault of a zone's server for a name. Both are in Route 53's form. */
  at(zone: string, name: string): DnsFault | undefined {
    return this.#faultByZone.get(zone) ?? this.#faultByName.get(name);
  }
}

function key(name: string): string {
  return normalizedName(name) ?? name;
}
