import { HOUR_MS, MINUTE_MS, SECOND_MS, type VirtualTime } from './virtual-time.ts';

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

/** What happened, kept as it is and turned into text only when a reader asks for it. */
export class Trace {
  readonly #entries: Entry[] = [];
  readonly #time: VirtualTime;
  readonly #startMs: number;
  /** The fields of an input that say what the call is about. */
  readonly #fields: readonly string[];

  constructor(time: VirtualTime, fields: readonly string[]) {
    this.#time = time;
    this.#fields = fields;
    this.#startMs = time.nowMs;
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
        const about = input === undefined ? '' : ` ${tracedFields(input, this.#fields).join(' ')}`;
        const said = typeof what === 'string' ? what : what();
        return `${timeText(atMs - this.#startMs)}  ${actor}  ${said}${about}${outcome ? `  → ${outcome}` : ''}`;
      })
      .join('\n');
  }
}

/** Hours, minutes, seconds and milliseconds. */
function timeText(ms: number): string {
  const part = (unitMs: number, of: number) => String(Math.floor(ms / unitMs) % of).padStart(2, '0');
  return `${part(HOUR_MS, 10_000)}:${part(MINUTE_MS, 60)}:${part(SECOND_MS, 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

function tracedFields(input: unknown, fields: readonly string[], key = ''): string[] {
  if (typeof input !== 'object' || input === null) return fields.includes(key) ? [`${key}=${input}`] : [];
  return Object.entries(input).flatMap(([field, value]) => {
    // Of an item only its own fields: those of the maps inside would drown them.
    const isInsideItem = key === 'Item' && typeof value === 'object' && value !== null;
    return isInsideItem ? [] : tracedFields(value, fields, field);
  });
}
