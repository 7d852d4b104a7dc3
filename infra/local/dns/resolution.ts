import type { Answer } from 'dns-packet';
import { normalizedName, unescapedName } from '../route53/domain-name.ts';
import type { HostedZone, HostedZones } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';
import { dnsRecord, recordData } from '../route53/record-values.ts';
import { isAwsName } from './aws-names.ts';
import type { DnsFault, DnsFaults } from './dns-faults.ts';
import { recordSetsAt } from './zone-lookup.ts';

/** The reply to a question, or how the server fails. */
export type Resolution = Reply | DnsFault;

export interface Reply {
  readonly code: 'NOERROR' | 'NXDOMAIN';
  readonly answers: readonly Answer[];
  /** The SOA record of the zone, when the name or the record does not exist. */
  readonly authorities: readonly Answer[];
}

export interface Question {
  readonly name: string;
  readonly type: string;
}

/** The number of CNAME records that are followed, about that of public resolvers. */
const MAX_CHAIN = 16;

/** The TTL of an alias for a name of AWS in Route 53. */
const AWS_TTL_SECONDS = 60;
const LOCAL_ADDRESS = '127.0.0.1';

const NXDOMAIN: Reply = { code: 'NXDOMAIN', answers: [], authorities: [] };

/** Answers from the hosted zones. Names of AWS resolve to this machine; all other names do not exist. */
export class DnsResolution {
  readonly #zones: HostedZones;
  readonly #faults: DnsFaults;

  constructor(zones: HostedZones, faults: DnsFaults) {
    this.#zones = zones;
    this.#faults = faults;
  }

  /** Resolves a question. A recursive answer contains the target of a CNAME, too, as that of a public resolver. */
  resolve({ name, type }: Question, isRecursive: boolean): Resolution {
    return this.#resolve(name, type, isRecursive, MAX_CHAIN);
  }

  #resolve(asked: string, type: string, isRecursive: boolean, chainLeft: number): Resolution {
    const name = normalizedName(asked);
    if (name === undefined) return NXDOMAIN;
    const fault = this.#faults.at(name);
    if (fault !== undefined) return fault;
    if (chainLeft === 0) return 'SERVFAIL';
    const zone = this.#zones.zoneOf(name);
    if (zone === undefined) return isAwsName(name) ? awsAnswer(asked, type) : NXDOMAIN;
    const recordSets = recordSetsAt(zone, name);
    if (recordSets === undefined) return { ...NXDOMAIN, authorities: [negativeSoa(zone)] };
    const cname = recordSets.find(set => set.type === 'CNAME');
    if (cname !== undefined && type !== 'CNAME' && type !== 'ANY') {
      const records = recordsOf(cname, asked);
      return isRecursive ? this.#follow(records, cname, type, chainLeft) : found(records);
    }
    const answers: Answer[] = [];
    for (const set of recordSets.filter(candidate => type === 'ANY' || candidate.type === type)) {
      const records = set.aliasTarget ? this.#aliased(set, asked, chainLeft) : recordsOf(set, asked);
      if (typeof records === 'string') return records;
      answers.push(...records);
    }
    return answers.length > 0
      ? found(answers)
      : { code: 'NOERROR', answers, authorities: [negativeSoa(zone)] };
  }

  #follow(records: Answer[], cname: RecordSet, type: string, chainLeft: number): Resolution {
    const target = String(recordData('CNAME', cname.values[0] ?? ''));
    const rest = this.#resolve(target, type, true, chainLeft - 1);
    return typeof rest === 'string' ? rest : { ...rest, answers: [...records, ...rest.answers] };
  }

  /** The records of an alias's target, under the name of the alias. */
  #aliased({ type, aliasTarget }: RecordSet, name: string, chainLeft: number): Answer[] | DnsFault {
    const target = unescapedName(aliasTarget?.dnsName ?? '');
    const resolution = this.#resolve(target, type, true, chainLeft - 1);
    return typeof resolution === 'string'
      ? resolution
      : resolution.answers.filter(answer => answer.type === type).map(answer => ({ ...answer, name }));
  }
}

function found(answers: readonly Answer[]): Reply {
  return { code: 'NOERROR', answers, authorities: [] };
}

function recordsOf({ type, ttlSeconds = 0, values }: RecordSet, name: string): Answer[] {
  return values.map(value => dnsRecord(type, name, ttlSeconds, value));
}

function awsAnswer(name: string, type: string): Reply {
  return found(type === 'A' || type === 'ANY' ? [dnsRecord('A', name, AWS_TTL_SECONDS, LOCAL_ADDRESS)] : []);
}

/** The SOA record of a negative answer. Its TTL is the smaller of its own TTL and its minimum field (RFC 2308). */
function negativeSoa({ name, recordSets }: HostedZone): Answer {
  const soa = recordSets.find(set => set.type === 'SOA' && set.name === name);
  const value = soa?.values[0] ?? '';
  const { minimum } = recordData('SOA', value) as { minimum: number };
  return dnsRecord('SOA', unescapedName(name), Math.min(soa?.ttlSeconds ?? 0, minimum), value);
}
