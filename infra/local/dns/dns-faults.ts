import { normalizedName } from '../route53/domain-name.ts';

/** How a name server fails: it answers SERVFAIL, or not at all. */
export type DnsFault = 'SERVFAIL' | 'silence';

/** The names whose servers fail. Tests set them. */
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
