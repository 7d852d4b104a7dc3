import { normalizedName } from '../route53/domain-name.ts';

/** What a name server does that does not work: it says so, or says nothing. */
export type DnsFault = 'SERVFAIL' | 'silence';

/** Names whose servers are out of order, for tests. */
export class DnsFaults {
  readonly #faultByName = new Map<string, DnsFault>();

  set(name: string, fault: DnsFault): void {
    this.#faultByName.set(key(name), fault);
  }

  clear(name: string): void {
    this.#faultByName.delete(key(name));
  }

  at(name: string): DnsFault | undefined {
    return this.#faultByName.get(name);
  }
}

function key(name: string): string {
  return normalizedName(name) ?? name;
}
