import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, validationOf } from '../../../infra/local/simulation.ts';
import type { WithdrawnUrls } from '../../../shared/domains/default-urls.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import type { CommandsOf, OwnerLink, Reply } from '../../../shared/operator/contract.ts';
import type { WhileLive } from '../../../shared/projects/project.ts';
import type { EnvironmentName } from '../deployed.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import type { World } from '../world.ts';

/** Projects that compete for the same names. One is a squatter: it never has the records set. */
export const PROJECTS = ['alpha', 'beta', 'gamma', 'delta'] as const;
export const SQUATTER = 'gamma';

/** A subdomain and an apex, each at the owner's provider, in a delegated sub-zone, and in a zone of the account. */
export const NAMES = [
  'www.zoo.com',
  'zoo.com',
  'shop.dev.zoo.com',
  'dev.zoo.com',
  `www.${MANAGED_ZONE.name}`,
  MANAGED_ZONE.name,
] as const;

/** A command of the operator function, without its prefix `domains.`. */
export type CommandName = WithoutGroup<CommandsOf<'domains'>>;
type WithoutGroup<Command> = Command extends `domains.${infer Name}` ? Name : never;

/** The fields of such a command. */
export interface DomainRequest {
  readonly project: string;
  readonly domain: string;
  /** Another domain, or another project. */
  readonly to?: string;
  readonly switchLater?: boolean;
  readonly withWww?: boolean;
  /** By default staging. */
  readonly environment?: EnvironmentName;
}

/** Which records an owner sets, and how. */
interface RecordsToSet {
  readonly project?: string | undefined;
  readonly environment?: EnvironmentName | undefined;
  /** Whether a TXT record keeps the values that it has. */
  readonly isBeside?: boolean;
  /** A type of record that the owner forgets. */
  readonly without?: 'TXT' | 'CNAME' | 'ALIAS';
  /** Whether the traffic stays where it is. */
  readonly isPreparation?: boolean;
}

/** An operator gives up after this many tries, which no weather may cause. */
const MAX_TRIES = 200;

/** The people of a run: operators who send commands, and owners of domains who edit their DNS zones. */
export class People {
  readonly #world: World;
  #requests = 0;
  /** How many requests, second deliveries included, have no final reply yet. */
  pendingRequests = 0;
  /** Whether an operator has used up all tries. */
  hasGivenUp = false;
  /** Called with every reply, before the next event of the simulation. */
  onReply: (command: CommandName, request: DomainRequest, reply: Reply) => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  /** Invokes the operator function and returns the reply to the first delivery; there may be a second delivery. */
  ask(command: CommandName, request: DomainRequest): Promise<Reply> {
    const { time, random, weather } = this.#world;
    const { environment = 'staging', ...fields } = request;
    const payload = { command: `domains.${command}`, requestId: this.#newRequestId(), ...fields };
    if (weather.secondDeliveryMs() !== undefined) {
      this.pendingRequests += 1;
      // A second delivery comes soon: a client does not repeat a request long after its reply.
      time.after(
        random.between(0, 20 * SECOND_MS),
        undefined,
        () => void this.#replyTo(payload, environment),
      );
    }
    this.pendingRequests += 1;
    return this.#replyTo(payload, environment).then(reply => {
      this.#world.trace.say(
        'operator',
        `${command} ${request.domain} of ${request.project} in ${environment} → ${reply.ok ? 'ok' : reply.error.message}`,
      );
      this.onReply(command, request, reply);
      return reply;
    });
  }

  /** The owner of a domain asks for a look at the page that an operator has sent a link to. */
  async askForLook(request: DomainRequest): Promise<void> {
    const { environment = 'staging' } = request;
    const reply = await this.ask('link', request);
    if (!reply.ok) return;
    const { url } = reply.result as OwnerLink;
    const [key = '', domain = ''] = url.split('/').toReversed();
    const response = await this.#world[environment]
      .askForLook({ domain, key })
      .then(isFound => (isFound ? 'ok' : 'not found'))
      .catch((error: Error) => error.name);
    this.#world.trace.say('owner', `asks for a look at ${domain} → ${response}`);
  }

  /** Changes the plan of a project; to `free` is refused while the project has domains. */
  setPlan(id: string, plan: 'free' | 'pro', environment: EnvironmentName): Promise<Reply> {
    this.pendingRequests += 1;
    return this.#replyTo(
      { command: 'projects.plan', requestId: this.#newRequestId(), id, plan },
      environment,
    );
  }

  /** Changes what the default URL of a project does while its primary domain is live. */
  setEndpoint(id: string, whileLive: WhileLive, environment: EnvironmentName): Promise<Reply> {
    this.pendingRequests += 1;
    const payload = { command: 'projects.endpoint', requestId: this.#newRequestId(), id, whileLive };
    return this.#replyTo(payload, environment);
  }

  /** Deletes the default URLs, as a teardown does, which repeats the command until nothing is left of them. */
  async withdrawUrls(environment: EnvironmentName): Promise<void> {
    for (let remaining = 1; remaining > 0; ) {
      this.pendingRequests += 1;
      const payload = { command: 'projects.withdraw', requestId: this.#newRequestId() };
      const reply = await this.#replyTo(payload, environment);
      if (reply.ok) ({ remaining } = reply.result as WithdrawnUrls);
      await this.#world.time.sleep(MINUTE_MS);
    }
  }

  #newRequestId(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  /** Retries with the same request id while the function crashes or returns an error that may pass. */
  async #replyTo(payload: Record<string, unknown>, environment: EnvironmentName): Promise<Reply> {
    const { time, random } = this.#world;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const reply = await this.#world[environment].operate(payload).catch(() => undefined);
      const isFinal = reply && (reply.ok || !['internal_error', 'unavailable'].includes(reply.error.code));
      if (isFinal) {
        this.pendingRequests -= 1;
        return reply;
      }
      await time.sleep(random.between(SECOND_MS, 2 * MINUTE_MS));
    }
    this.hasGivenUp = true;
    return new Promise(() => {});
  }

  /** The owner creates the records that `show` lists; those of ACM are among them once ACM names them. */
  setRecords(
    domain: string,
    { project, environment = 'staging', isBeside = false, without, isPreparation }: RecordsToSet = {},
  ): void {
    const { trace, certificates, issuance, dns } = this.#world;
    const claim = this.#world[environment].domain(domain, project);
    if (!claim) return;
    trace.say('owner', `sets the records of ${domain} for ${claim.project} in ${environment}`);
    const certificate = certificates.find(claim.certificateArn);
    const isNamed = certificate && issuance.hasRecords(certificate);
    const required = claim.recordsWith(isNamed ? certificate.names.map(validationOf) : []);
    this.#world.version += 1;
    for (const { type, name, value, purpose, isOptional } of required) {
      if (type === without || isOptional || (isPreparation && purpose === 'traffic')) continue;
      if (type === 'TXT' && isBeside) dns.add(name, type, value);
      else dns.set(name, type, value);
    }
  }

  /** The owner deletes every record that proves a claim, as someone does who buys a domain or gives it up. */
  deleteRecords(domain: string): void {
    this.#world.trace.say('owner', `deletes the records of ${domain}`);
    this.#world.version += 1;
    for (const type of ['CNAME', 'ALIAS'] as const) this.#world.dns.set(domain, type);
    this.#world.dns.set(`${CHALLENGE_LABEL}.${domain}`, 'TXT');
  }

  /** The owner points the domain at another service. */
  pointElsewhere(domain: string): void {
    this.#world.trace.say('owner', `${domain} leads elsewhere`);
    this.#world.version += 1;
    // An apex can have no CNAME.
    const isApex = this.#world.dns.zoneOf(domain) === domain;
    this.#world.dns.set(domain, isApex ? 'ALIAS' : 'CNAME', 'elsewhere.test');
  }
}

/** Another team of the account. It has names and certificates of its own at API Gateway and ACM, without our tags. */
export class ThirdParty {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Has a certificate for a name. */
  certify(domain: string): string {
    const { certificates, trace, sharedValidations, time } = this.#world;
    const issuedAtMs = time.nowMs - HOUR_MS;
    const { arn } = certificates.add({
      names: [domain],
      keyAlgorithm: 'RSA_2048',
      tags: {},
      createdAtMs: issuedAtMs,
    });
    const issued = { ...this.#world.signed(issuedAtMs, 365 * DAY_MS), issuedAtMs };
    certificates.change(arn, { status: 'ISSUED', issued });
    sharedValidations.add(validationOf(domain).name);
    trace.say('another team', `has the certificate ${arn} of ${domain}`);
    return arn;
  }

  /** Creates a domain name at API Gateway, which a name can have once in the region; false when there is one. */
  occupy(domain: string): boolean {
    const { domainNames, trace } = this.#world;
    const isFree = !domainNames.find(domain);
    if (isFree) {
      const certificateArn = this.certify(domain);
      const other = { securityPolicy: 'TLS_1_2', ipAddressType: 'ipv4', tags: {} } as const;
      domainNames.add({ ...other, domainName: domain, certificateArn });
      domainNames.map(domain, { restApiId: 'foreign-api', stage: 'foreign' });
    }
    trace.say('another team', isFree ? `has ${domain} at API Gateway` : `cannot have ${domain}`);
    this.#world.version += 1;
    return isFree;
  }

  /** Gives a domain name up. */
  leave(domain: string): void {
    this.#world.trace.say('another team', `gives ${domain} up`);
    this.#world.domainNames.remove(domain);
    this.#world.version += 1;
  }
}
