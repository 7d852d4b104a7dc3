import type { CaaRecord, Lookup, LookupAnswer } from '../../../../infra/local/acm/dns-validation.ts';

/** DNS as a test sets it: names in lower case, without a trailing dot. What is in neither does not exist. */
export class FakeLookup implements Lookup {
  readonly cnames = new Map<string, string>();
  readonly caas = new Map<string, readonly CaaRecord[]>();
  readonly failing = new Set<string>();
  readonly questions: string[] = [];

  cname(name: string): Promise<LookupAnswer<string>> {
    const target = this.cnames.get(name);
    return this.#answer('CNAME', name, target === undefined ? undefined : [target]);
  }

  caa(name: string): Promise<LookupAnswer<CaaRecord>> {
    return this.#answer('CAA', name, this.caas.get(name));
  }

  async #answer<Value>(
    type: string,
    name: string,
    records: readonly Value[] | undefined,
  ): Promise<LookupAnswer<Value>> {
    this.questions.push(`${type} ${name}`);
    if (this.failing.has(name)) return { outcome: 'SERVFAIL' };
    if (records !== undefined) return { outcome: 'RECORDS', records };
    return { outcome: this.cnames.has(name) || this.caas.has(name) ? 'NODATA' : 'NXDOMAIN' };
  }
}

export const issue = (value: string): CaaRecord => ({ flags: 0, tag: 'issue', value });
