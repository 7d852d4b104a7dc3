import type { Call } from './calls.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Entry {
  readonly atMs: number;
  readonly actor: string;
  readonly what: string;
  readonly input?: unknown;
  readonly outcome?: string | undefined;
}

/** What a call is about, of all that its input holds. */
const TELLING = [
  'domain',
  'id',
  'requestId',
  'domainName',
  'DomainName',
  'CertificateArn',
  'certificateArn',
  'restApiId',
  'Name',
  'Value',
  'Action',
  'Type',
  'name',
  'executionArn',
  'StartRecordName',
  'revision',
  'attempt',
  'status',
  'phase',
  'nextSlotMs',
];

/** What happened, kept as it is and told only when someone wants to read it. */
export class Trace {
  readonly #entries: Entry[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  note({ actor, service, operation, input }: Call, outcome: string | undefined): void {
    this.#entries.push({
      atMs: this.#time.nowMs,
      actor: actor.name,
      what: `${service}.${operation}`,
      input,
      outcome,
    });
  }

  say(actor: string, what: string): void {
    this.#entries.push({ atMs: this.#time.nowMs, actor, what });
  }

  /** One line for each entry, the last ones of them. */
  text(last = Number.POSITIVE_INFINITY): string {
    const told = this.#entries.slice(-Math.min(last, this.#entries.length));
    return told
      .map(({ atMs, actor, what, input, outcome }) => {
        const about = input === undefined ? '' : ` ${telling(input).join(' ')}`;
        return `${this.#time.text(atMs)}  ${actor}  ${what}${about}${outcome ? `  → ${outcome}` : ''}`;
      })
      .join('\n');
  }
}

function telling(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) => {
    if (key === 'body' && typeof value?.S === 'string') {
      const { status, phase, reason } = JSON.parse(value.S);
      return [`status=${status}`, `phase=${phase}`, `reason=${reason}`];
    }
    const plain = value?.S ?? value?.N ?? value;
    if (TELLING.includes(key) && typeof plain !== 'object') return [`${key}=${plain}`];
    return telling(value);
  });
}
