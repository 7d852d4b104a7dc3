import { requiredRecords } from '../../shared/domains/dns/required-record.ts';
import type { Reply } from '../../shared/operator/contract.ts';
import { MINUTE_MS, SECOND_MS } from './virtual-time.ts';
import type { World } from './world.ts';

export type Asked = 'add' | 'verify' | 'remove' | 'show' | 'primary' | 'redirect' | 'unredirect';

export interface Wish {
  readonly project: string;
  readonly domain: string;
  readonly to?: string;
}

const PATIENCE = 200;

/** The people of a run: operators who ask until they are answered, and owners who edit their zones. */
export class People {
  readonly #world: World;
  #requests = 0;
  /** Operators who have not been answered. */
  waiting = 0;
  /** Somebody has lost his patience. */
  isUnanswered = false;
  /** Told of every answer, before anything else happens. */
  onAnswer: (asked: Asked, wish: Wish, reply: Reply) => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  /** Asks the operator function, whose answer is that of the first delivery; there may be a second one. */
  ask(asked: Asked, wish: Wish): Promise<Reply> {
    const { time, random, weather } = this.#world;
    this.#requests += 1;
    const payload = { command: `domains.${asked}`, requestId: `request-${this.#requests}`, ...wish };
    if (weather.secondDeliveryMs() !== undefined) {
      this.waiting += 1;
      // Nobody repeats a request long after it was answered.
      time.after(random.between(0, 20 * SECOND_MS), undefined, () => void this.#answerTo(payload));
    }
    this.waiting += 1;
    return this.#answerTo(payload).then(reply => {
      this.#world.trace.say(
        'operator',
        `${asked} ${wish.domain} of ${wish.project} → ${reply.ok ? 'ok' : reply.error.message}`,
      );
      this.onAnswer(asked, wish, reply);
      return reply;
    });
  }

  /** Who hears nothing, or that it failed, asks again for the same. */
  async #answerTo(payload: Record<string, unknown>): Promise<Reply> {
    const { time, random } = this.#world;
    for (let tries = 1; tries <= PATIENCE; tries += 1) {
      const reply = await this.#world.operate(payload).catch(() => undefined);
      const isFinal = reply && (reply.ok || !['internal_error', 'unavailable'].includes(reply.error.code));
      if (isFinal) {
        this.waiting -= 1;
        return reply;
      }
      await time.sleep(random.between(SECOND_MS, 2 * MINUTE_MS));
    }
    this.isUnanswered = true;
    return new Promise(() => {});
  }

  /** The owner of a domain creates the records that `show` lists: those of ACM once ACM names them. */
  setRecords(domain: string): void {
    const { trace, acm, dns } = this.#world;
    const claim = this.#world.domain(domain);
    if (!claim) return;
    trace.say('owner', `sets the records of ${domain}`);
    const validations = acm.namedValidations(claim.certificate.arn ?? '');
    const required = requiredRecords({ ...claim, certificate: { validations } });
    for (const { type, name, value } of required) dns.set(name, type, value);
  }

  /** The domain leads elsewhere. */
  leadElsewhere(domain: string): void {
    this.#world.trace.say('owner', `${domain} leads elsewhere`);
    this.#world.dns.set(domain, 'CNAME', 'elsewhere.test');
    this.#world.dns.set(domain, 'ALIAS');
  }
}
