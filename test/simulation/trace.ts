import type { VirtualTime } from './virtual-time.ts';

interface Entry {
  readonly atMs: number;
  readonly actor: string;
  /** A text that is long to build is built only for a reader. */
  readonly what: string | (() => string);
  readonly input?: unknown;
  readonly outcome?: string | undefined;
}

/** What the trace says of a call. */
interface TracedCall {
  readonly actor: { readonly name: string };
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
}

/** The fields of an input that say what the call is about. */
const TRACED_FIELDS = [
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
  'reason',
  'DetailType',
  'nextSlotMs',
];

/** What happened, kept as it is and turned into text only when a reader asks for it. */
export class Trace {
  readonly #entries: Entry[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  note({ actor, service, operation, input }: TracedCall, outcome: string | undefined): void {
    this.#entries.push({
      atMs: this.#time.nowMs,
      actor: actor.name,
      what: `${service}.${operation}`,
      input,
      outcome,
    });
  }

  say(actor: string, what: Entry['what']): void {
    this.#entries.push({ atMs: this.#time.nowMs, actor, what });
  }

  /** One line for each entry, the last ones of them. */
  text(last = Number.POSITIVE_INFINITY): string {
    const shown = this.#entries.slice(-Math.min(last, this.#entries.length));
    return shown
      .map(({ atMs, actor, what, input, outcome }) => {
        const about = input === undefined ? '' : ` ${tracedFields(input).join(' ')}`;
        const said = typeof what === 'string' ? what : what();
        return `${this.#time.text(atMs)}  ${actor}  ${said}${about}${outcome ? `  → ${outcome}` : ''}`;
      })
      .join('\n');
  }
}

function tracedFields(input: unknown, key = ''): string[] {
  if (typeof input !== 'object' || input === null)
    return TRACED_FIELDS.includes(key) ? [`${key}=${input}`] : [];
  return Object.entries(input).flatMap(([field, value]) => {
    // Of an item only its own fields: those of the maps inside would drown them.
    const isInsideItem = key === 'Item' && typeof value === 'object' && value !== null;
    return isInsideItem ? [] : tracedFields(value, field);
  });
}
