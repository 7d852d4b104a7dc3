import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isWithin } from '../../../shared/domains/life/domain-name.ts';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import { SMOKE_DOMAIN_PREFIX, SMOKE_PROJECT } from '../../../shared/operator/checks.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError, inOneText } from '../../operator/connection/command-error.ts';
import { HostedZones } from '../../operator/domains/hosted-zones.ts';
import { applyRecords, deleteRecords } from '../../operator/domains/set-record.ts';
import { environmentLogs } from '../../operator/logs/log-source.ts';
import type { DomainSession } from '../domains/domain-session.ts';
import { maySucceedLater } from '../domains/verify-domain.ts';
import { readLogs } from '../environment/logs/follow-logs.ts';
import { readFunctionLine } from '../environment/logs/function-line.ts';
import { printable } from '../framework/style.ts';
import { becomesTrue } from '../keys/try-new-key.ts';
import { Broken, type Check, Skipped } from './check.ts';
import { expectRedirect, expectStatus } from './http/expectations.ts';
import type { Send } from './http/smoke-client.ts';

/** A claim of another run that is older than this was left behind: the longest run takes less. */
const LEFT_BEHIND_MS = 2 * 60 * 60_000;

const MINUTE_MS = 60_000;

/** ACM names the record of a certificate within tens of seconds; DNS is checked seconds after the verification starts. */
const FIRST_STEPS_MS = 2 * MINUTE_MS;

/** ACM may take half an hour for a certificate, and API Gateway changes one domain name in 30 seconds. */
const LIVE_MS = 45 * MINUTE_MS;

/** The default URL of a project changes within five minutes. */
const REDIRECT_MS = 7 * MINUTE_MS;

/** AWS holds the certificate of a domain that was live for 4 to 20 minutes. */
const REMOVAL_MS = 30 * MINUTE_MS;

/** The edge of one machine serves a live domain at once. */
const LOCAL_REQUEST_MS = 5_000;

/** Between two polls, and between two looks at the logs. */
const AWS_INTERVALS = { pollMs: 5_000, logsMs: 30_000 };
const LOCAL_INTERVALS = { pollMs: 500, logsMs: 2_000 };

/**
 * How the DNS records of the trial's domain come about: by the flow itself, by this command on one machine, by the person
 * who has given the domain, or not at all.
 */
type Records = 'managed' | 'local' | 'by hand' | 'none';

/**
 * Takes a domain through claim, verification and removal, so that every function of the flow does its work once: the one
 * that is given, or one of its own. It goes live where its DNS records can be created.
 */
export class DomainTrial {
  readonly #session: DomainSession;
  readonly #managedZoneIds: readonly string[];
  readonly #given: string | undefined;
  readonly #startedMs = Date.now();
  #domain: string | undefined;
  #records: Records = 'none';
  #created: DomainReport['records'] = [];
  #isLive = false;
  /** A step has failed, so that the next ones would only wait for it. */
  #isBroken = false;
  /** What was found to be denied. Its lines stay in the logs. */
  readonly #reported = new Set<string>();

  /** The zones are those in which the service creates DNS records itself. */
  constructor(session: DomainSession, managedZoneIds: readonly string[] = [], given?: string) {
    this.#session = session.of(SMOKE_PROJECT);
    this.#managedZoneIds = managedZoneIds;
    this.#given = given;
  }

  /** The claim whose DNS records somebody has to create before the verification; undefined if nobody has to. */
  async claimToPublish(): Promise<DomainReport | undefined> {
    return this.#domain !== undefined && this.#records === 'by hand'
      ? this.#session.readDomain(this.#domain)
      : undefined;
  }

  checks(signal: AbortSignal): readonly Check<{ readonly send: Send }>[] {
    return [
      {
        name: 'a custom domain can be claimed, and its certificate is requested',
        run: (_, note) => this.#step(this.#claim(signal, note)),
      },
      {
        name: 'verification checks the DNS records of a custom domain',
        run: () => this.#step(this.#verify(signal)),
      },
      {
        name: 'a custom domain gets its certificate and goes live',
        run: () => this.#step(this.#goLive(signal)),
      },
      this.#given === undefined
        ? {
            name: 'the default URL of a project redirects to its live domain',
            run: ({ send }) => this.#step(this.#redirect(send)),
          }
        : {
            name: 'a live custom domain serves the API over HTTPS',
            run: ({ send }) => this.#step(this.#request(send)),
          },
      {
        name: 'removing a custom domain leaves nothing behind',
        run: (_, note) => this.#remove(signal, note),
      },
    ];
  }

  /** Has the domain removed if a check has not: after an error or an interruption. The removal goes on by itself. */
  async cleanUp(): Promise<void> {
    const domain = this.#domain;
    if (domain === undefined) return;
    const command = this.#session.projectCommandLine(`domains remove ${domain}`);
    const said = await this.#startRemoval(domain).then(
      () => `${domain} is being removed in the background.`,
      (error: Error) =>
        inOneText([`${domain} wasn't removed: ${error.message}`, `Remove it with: ${command}`]),
    );
    this.#session.progress(said);
    await this.#deleteRecords();
    this.#domain = undefined;
  }

  async #step(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#isBroken ||= !(error instanceof Skipped);
      throw error;
    }
  }

  async #claim(signal: AbortSignal, note: (text: string) => void): Promise<void> {
    const session = this.#session;
    const { platformDomain } = await session.read('environment.inspect');
    if (platformDomain === null) throw new Skipped('there is no platform domain');
    await this.#prepareProject();
    await this.#removeLeftovers();
    const zones = await this.#managedZones();
    const given = this.#given;
    const isManaged = given === undefined ? zones.length > 0 : zones.some(zone => isWithin(given, zone));
    const byOthers = given === undefined ? 'none' : 'by hand';
    this.#records = isManaged ? 'managed' : session.target.isLocal ? 'local' : byOthers;
    // Without a zone, a name beside the platform domain: it has no records, and nobody else's certificate is asked for.
    const [parent = session.target.isLocal ? 'example.net' : platformDomain.replace(/^[^.]*\./, '')] = zones;
    const domain = given ?? `${SMOKE_DOMAIN_PREFIX}${randomBytes(4).toString('hex')}.${parent}`;
    if (given !== undefined) await this.#requireUnused(given);
    this.#domain = domain;
    await this.#change('domains.add');
    note(domain);
    await this.#until('its certificate request', FIRST_STEPS_MS, signal, ({ records }) =>
      records.some(({ purpose }) => purpose === 'certificate'),
    );
  }

  /** Creates the project of trials. It stays for the next trial. */
  async #prepareProject(): Promise<void> {
    const session = this.#session;
    const id = session.project;
    const options = { isConfirmed: true };
    const project = await session
      .change('projects.create', { id, plan: 'pro' }, '', options)
      .catch((error: unknown) => {
        if (!(error instanceof CommandError) || error.reason !== 'project_exists') throw error;
        return session.read('projects.show', { id });
      });
    if (project.deploy.succeededAt === null) await session.change('projects.deployed', { id }, '', options);
    const whileLive = this.#given === undefined ? 'redirect' : 'serve';
    if (project.whileLive !== whileLive) {
      await session.change('projects.endpoint', { id, whileLive }, '', options);
    }
  }

  async #verify(signal: AbortSignal): Promise<void> {
    const domain = this.#requireClaim();
    this.#requireUnbroken();
    if (this.#records === 'local') {
      const { records } = await this.#session.readDomain(domain);
      this.#created = records;
      await applyRecords(await HostedZones.of(this.#session.target), records);
    }
    await this.#change('domains.verify');
    await this.#until(
      'the first check of its DNS records',
      FIRST_STEPS_MS,
      signal,
      ({ checkedAt }) => checkedAt !== null,
    );
  }

  async #goLive(signal: AbortSignal): Promise<void> {
    this.#requireClaim();
    this.#requireUnbroken();
    if (this.#records === 'none') {
      throw new Skipped('nobody creates its DNS records: set managedZoneIds to a hosted zone of the account');
    }
    await this.#until('going live', LIVE_MS, signal, report => factsOf(report).group === 'served');
    this.#isLive = true;
  }

  /** A document that needs no API key. */
  async #request(send: Send): Promise<void> {
    const domain = this.#requireLive();
    await this.#eventually(`https://${domain}`, async url => {
      expectStatus(await send(`GET ${url}/v1/openapi.json`), 200);
    });
  }

  /** By the API of redirects, which custom domains that redirect are mapped to, too. */
  async #redirect(send: Send): Promise<void> {
    this.#requireLive();
    const show = () => this.#session.read('projects.show', { id: this.#session.project });
    const { defaultUrl, url } = await show();
    const isRedirecting = await becomesTrue(
      async () => (await show()).defaultUrlState === 'redirecting',
      () => this.#session.progress(`Waiting for ${defaultUrl} to redirect …`),
      { longestMs: REDIRECT_MS },
    );
    if (!isRedirecting) {
      await this.#expectNothingDenied();
      const { defaultUrlReason } = await show();
      throw new Broken(`${defaultUrl} should redirect to ${url}: ${defaultUrlReason}`);
    }
    await this.#eventually(defaultUrl, async from => {
      expectRedirect(await send(`GET ${from}/v1/pets?limit=1`), 308, url);
    });
  }

  /** The resolver of this machine may be later than those that the flow asks. */
  async #eventually(url: string, expectResponse: (url: string) => Promise<void>): Promise<void> {
    let failure: unknown;
    const isServed = await becomesTrue(
      async () => {
        try {
          await expectResponse(url);
          return true;
        } catch (error) {
          failure = error;
          return false;
        }
      },
      () => this.#session.progress(`Waiting for ${url} to respond …`),
      { longestMs: this.#session.target.isLocal ? LOCAL_REQUEST_MS : FIRST_STEPS_MS },
    );
    if (!isServed) throw failure;
  }

  async #remove(signal: AbortSignal, note: (text: string) => void): Promise<void> {
    const domain = this.#requireClaim();
    await this.#change('domains.remove');
    await this.#deleteRecords();
    const isGone = await this.#until('the removal', REMOVAL_MS, signal, isWaitingForAws);
    this.#domain = undefined;
    if (!isGone) note(`${domain} is still being removed in the background: AWS still holds its certificate`);
  }

  async #change(command: 'domains.add' | 'domains.verify' | 'domains.remove'): Promise<void> {
    const domain = this.#requireClaim();
    try {
      await this.#session.changeDomain(command, { domain }, '', { isConfirmed: true });
    } catch (error) {
      const isRefused = error instanceof CommandError && error.reason !== undefined;
      if (isRefused && command === 'domains.add') this.#domain = undefined;
      if (isRefused) throw new Broken(`${domain}: ${error.message}`);
      // The operator function has failed, and its log says why in a moment.
      await pause(this.#intervals.logsMs);
      await this.#expectNothingDenied();
      throw error;
    }
  }

  async #startRemoval(domain: string): Promise<void> {
    try {
      await this.#session.changeDomain('domains.remove', { domain }, '', { isConfirmed: true });
    } catch (error) {
      if (!isUnknownDomain(error)) throw error;
    }
  }

  async #deleteRecords(): Promise<void> {
    if (this.#created.length === 0) return;
    await deleteRecords(await HostedZones.of(this.#session.target), this.#created);
    this.#created = [];
  }

  /** Domains of runs that were killed. */
  async #removeLeftovers(): Promise<void> {
    const domains = await this.#session.listDomains();
    for (const report of domains) {
      const { domain, milestones } = report;
      const isOld = Date.now() - Date.parse(milestones.addedAt) > LEFT_BEHIND_MS;
      if (domain.startsWith(SMOKE_DOMAIN_PREFIX) && isOld && factsOf(report).group !== 'removing')
        await this.#startRemoval(domain);
    }
  }

  async #managedZones(): Promise<string[]> {
    if (this.#managedZoneIds.length === 0) return [];
    const { GetHostedZoneCommand, Route53Client } = await import('@aws-sdk/client-route-53');
    const client = new Route53Client(this.#session.target.aws);
    const zones = this.#managedZoneIds.map(Id => client.send(new GetHostedZoneCommand({ Id })));
    return (await Promise.all(zones)).flatMap(({ HostedZone }) => HostedZone?.Name?.replace(/\.$/, '') ?? []);
  }

  /** The trial ends with a removal. */
  async #requireUnused(domain: string): Promise<void> {
    const domains = await this.#session.listDomains();
    const used = domains.find(each => each.domain === domain);
    if (used !== undefined) throw new Skipped(`${domain} is in use (${used.status})`);
  }

  #requireLive(): string {
    const domain = this.#requireClaim();
    if (!this.#isLive) throw new Skipped("the domain isn't live");
    return domain;
  }

  #requireUnbroken(): void {
    if (this.#isBroken) throw new Skipped('the previous step failed');
  }

  #requireClaim(): string {
    if (this.#domain === undefined) throw new Skipped('no domain was claimed');
    return this.#domain;
  }

  /**
   * Waits for a state of the domain, and says what it waits for. True when the domain is gone. A function that lacks a
   * permission is retried for an hour: its log says so at once.
   */
  async #until(
    what: string,
    limitMs: number,
    signal: AbortSignal,
    isReached: (report: DomainReport, isOver: boolean) => boolean,
  ): Promise<boolean> {
    const domain = this.#requireClaim();
    const { pollMs, logsMs } = this.#intervals;
    const endMs = Date.now() + limitMs;
    let lookAtMs = Date.now() + logsMs;
    let said = '';
    let failures = 0;
    for (;;) {
      const report = await this.#session.readDomain(domain).catch((error: unknown) => {
        failures += 1;
        if (isUnknownDomain(error)) return 'gone';
        if (maySucceedLater(error, failures)) return 'unknown';
        throw error;
      });
      if (report === 'gone') return true;
      if (report === 'unknown') {
        await pause(pollMs, undefined, { signal });
        continue;
      }
      failures = 0;
      const isOver = Date.now() >= endMs;
      if (isReached(report, isOver)) return false;
      const { message } = report;
      const { group, flow } = factsOf(report);
      const isStopped = group === 'failed' || (group === 'removing' && flow === null);
      if (isOver || isStopped || Date.now() >= lookAtMs) {
        await this.#expectNothingDenied();
        lookAtMs = Date.now() + logsMs;
      }
      if (isOver || isStopped) {
        const waited = isOver ? ` has waited ${limitMs / MINUTE_MS} minutes for ${what}` : '';
        const logs = this.#session.commandLine('logs --group domain-flow');
        throw new Broken(`${domain}${waited}: ${printable(message)} See the logs of its functions: ${logs}`);
      }
      if (said !== message) this.#session.progress(printable(`${domain}: ${message}`));
      said = message;
      await pause(pollMs, undefined, { signal });
    }
  }

  get #intervals(): typeof AWS_INTERVALS {
    return this.#session.target.isLocal ? LOCAL_INTERVALS : AWS_INTERVALS;
  }

  async #expectNothingDenied(): Promise<void> {
    const lines = await this.#errorLines().catch(() => []);
    for (const { group, errors } of lines) {
      for (const { name, message } of errors.filter(error => error.name.startsWith('AccessDenied'))) {
        const lacking = `function ${group} lacks a permission: ${message || name}`;
        if (this.#reported.has(lacking)) continue;
        this.#reported.add(lacking);
        throw new Broken(lacking);
      }
    }
  }

  /** None where the person who runs the command may not read the logs. */
  async #errorLines() {
    const { source, groups } = await environmentLogs(this.#session);
    const ofFlow = groups.filter(({ title }) => /^(domain-|operator-)/.test(title));
    const search = { groups: ofFlow, sinceMs: this.#startedMs, pattern: '{ $.level = "ERROR" }' };
    const { events } = await readLogs(source, search, AbortSignal.timeout(MINUTE_MS));
    return events.map(readFunctionLine);
  }
}

/** Whether a removal is repeated by itself after a wait: AWS holds the certificate for minutes, sometimes for hours. */
function isWaitingForAws(report: DomainReport, isOver: boolean): boolean {
  return isOver && factsOf(report).group === 'removing' && report.nextCheckAt !== null;
}

function isUnknownDomain(error: unknown): boolean {
  return error instanceof CommandError && error.reason === 'domain_unknown';
}
