import { AWS_POOL, HOUR_MS, MINUTE_MS, validationOf } from '../../../infra/local/simulation.ts';
import { CLAIM_TAG } from '../../../shared/aws/ownership-tags.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import type { World } from '../world.ts';
import { NAMES, type People, PROJECTS, ThirdParty } from './people.ts';

interface IncidentParts {
  readonly world: World;
  readonly people: People;
  /** Waits for a random time up to this. */
  readonly pause: (maxMs: number) => Promise<void>;
  readonly ask: People['ask'];
}

/** The owner has a proxy serve a domain, with a certificate of its own. One that passes requests on sends them to the target. */
export function useProxy(
  { staging, production, proxies, dns, trace }: World,
  domain: string,
  { project, isPassing }: { readonly project: string; readonly isPassing: boolean },
): void {
  const claim = staging.domain(domain, project) ?? production.domain(domain, project);
  if (!claim) return;
  trace.say(
    'owner',
    `has a proxy serve ${domain}, which ${isPassing ? 'passes' : 'does not pass'} requests on`,
  );
  const number = proxies.size + 1;
  const [ipv4, ipv6] = [`104.16.0.${number}`, `2606:4700::${number}`];
  for (const address of [ipv4, ipv6]) proxies.set(address, { origin: claim.target, isPassing });
  for (const type of ['CNAME', 'ALIAS'] as const) dns.set(domain, type);
  dns.set(domain, 'A', ipv4);
  dns.set(domain, 'AAAA', ipv6);
  dns.add(`${CHALLENGE_LABEL}.${domain}`, 'TXT', claim.challenge);
}

/** ACM renews two months ahead. Here a certificate whose renewal does not succeed expires within the run. */
const RENEWAL_TIMEOUT_MS = 48 * HOUR_MS;

/** ACM begins to renew an issued certificate; false for one that isn't in use, which it doesn't renew. */
export function beginRenewal({ certificates, domainNames, issuance, time }: World, arn: string): boolean {
  const certificate = certificates.find(arn);
  if (!certificate?.issued || domainNames.usesOf(arn).length === 0) return false;
  const { issued } = certificate;
  const renewal = { status: 'PENDING_AUTO_RENEWAL' as const, validation: {}, updatedAtMs: time.nowMs };
  const notAfterMs = Math.min(issued.notAfterMs, time.nowMs + RENEWAL_TIMEOUT_MS);
  const renewing = { ...certificate, renewal, issued: { ...issued, notAfterMs } };
  certificates.put(renewing);
  issuance.follow(renewing);
  return true;
}

/** An issued certificate expires or is revoked. */
export function loseCertificate(
  { certificates, time: { nowMs } }: World,
  arn: string,
  status: 'EXPIRED' | 'REVOKED',
): void {
  const { issued } = certificates.find(arn) ?? {};
  const end =
    status === 'REVOKED'
      ? { revokedAtMs: nowMs }
      : { ...(issued && { issued: { ...issued, notAfterMs: nowMs } }) };
  certificates.change(arn, { status, ...end });
}

/** Incidents around the service: in DNS, at ACM, by another team of the account, and with the plan of a project. */
export function incidents({ world, people, pause, ask }: IncidentParts) {
  const { random, dns, certificates, trace } = world;
  const thirdParty = new ThirdParty(world);

  const flap = async (domain: string) => {
    for (let count = random.between(1, 6); count > 0; count -= 1) {
      people.pointElsewhere(domain);
      await pause(5 * MINUTE_MS);
      for (const type of ['CNAME', 'ALIAS'] as const) dns.set(domain, type);
      if (random.chance(0.8)) people.setRecords(domain);
      await pause(20 * MINUTE_MS);
    }
  };

  const forbidCertificates = async (_: string, zone: string) => {
    trace.say('owner', `forbids certificates of ${zone}`);
    dns.set(zone, 'CAA', '0 issue "letsencrypt.org"');
    await pause(6 * HOUR_MS);
    dns.set(zone, 'CAA');
  };

  /** An address that is nobody's, of somebody else in the same network as API Gateway, or that API Gateway had earlier. */
  const leaveStrayAddress = async (_: string, apex: string) => {
    const address = random.pick(['2001:db8::1', '2600:1f18::bad', random.pick(AWS_POOL)]);
    trace.say('owner', `leaves the AAAA record ${address} at ${apex}`);
    dns.set(apex, 'AAAA', address);
    await pause(6 * HOUR_MS);
    dns.set(apex, 'AAAA');
  };

  const failServers = (isSilent: boolean) => async (_: string, zone: string) => {
    trace.say('dns', `${zone} ${isSilent ? 'is silent' : 'fails'} for an hour`);
    dns.failFor(zone, HOUR_MS, { isSilent });
  };

  const lag = async () => {
    trace.say('dns', 'the second resolver lags for three hours');
    world.publicDns.resolvers[1].lagFor(3 * HOUR_MS);
  };

  /** An issued certificate of the service. */
  const someCertificate = () => {
    const issued = certificates.list().filter(({ status, tags }) => status === 'ISSUED' && tags[CLAIM_TAG]);
    return issued.length > 0 ? random.pick(issued) : undefined;
  };

  /** ACM renews a certificate, while its validation record may be gone for a while or for good. */
  const renewCertificate = async () => {
    const renewed = someCertificate();
    if (!renewed || renewed.renewal || !beginRenewal(world, renewed.arn)) return;
    const [domain = ''] = renewed.names;
    trace.say('acm', `begins to renew ${renewed.arn} of ${domain}`);
    const isGone = random.chance(0.4);
    if (isGone) dns.set(validationOf(domain).name, 'CNAME');
    for (const environment of world.environments) await environment.tendAll();
    await pause(random.pick([HOUR_MS, 60 * HOUR_MS]));
    if (isGone) people.setRecords(domain);
    for (const environment of world.environments) await environment.tendAll();
  };

  const revokeCertificate = async () => {
    const revoked = someCertificate();
    if (!revoked) return;
    const [domain = ''] = revoked.names;
    trace.say('acm', `${revoked.arn} of ${domain} is revoked`);
    loseCertificate(world, revoked.arn, 'REVOKED');
    await pause(HOUR_MS);
    for (const environment of world.environments) {
      const project = environment.domain(domain)?.project;
      if (project) await ask('verify', { project, domain, environment: environment.name });
    }
  };

  /** The other team has the name for a while, or for good. */
  const occupy = async (domain: string) => {
    await pause(HOUR_MS);
    if (random.chance(0.5)) thirdParty.certify(domain);
    if (!thirdParty.occupy(domain)) return;
    if (random.chance(0.3)) return;
    await pause(random.pick([HOUR_MS, 30 * HOUR_MS]));
    thirdParty.leave(domain);
  };

  /** A project tries to leave the paid plan, and comes back. */
  const changePlan = async () => {
    const { name } = random.pick(world.environments);
    const project = random.pick(PROJECTS);
    await people.setPlan(project, 'free', name);
    await pause(HOUR_MS);
    await people.setPlan(project, 'pro', name);
  };

  /** A proxy serves the domain for a while, or for good. */
  const proxy = async (domain: string) => {
    const claim = random.pick(world.environments).domain(domain);
    if (!claim) return;
    useProxy(world, domain, { project: claim.project, isPassing: random.chance(0.8) });
    if (random.chance(0.3)) return;
    await pause(30 * HOUR_MS);
    for (const type of ['A', 'AAAA'] as const) dns.set(domain, type);
    people.setRecords(domain, { project: claim.project });
  };

  const throttleProofs = async () => {
    trace.say('somebody', 'uses up the throttle of proofs for an hour');
    world.proofsThrottledUntilMs = world.time.nowMs + HOUR_MS;
  };

  /** Somebody deletes by hand what is ours of an attached domain. */
  const tamper = async () => {
    const attached = world.environments.flatMap(environment =>
      environment
        .domains()
        .filter(claim => claim.isAttached && environment.isRouted(claim))
        .map(claim => ({ environment, claim })),
    );
    if (attached.length === 0) return;
    const { environment, claim } = random.pick(attached);
    const isMapping = random.chance(0.5);
    trace.say('somebody', `deletes the ${isMapping ? 'mapping' : 'host'} of ${claim.domain} by hand`);
    world.tampered.add(claim.domain);
    if (isMapping) world.domainNames.map(claim.domain, undefined);
    else world.route53.remove(environment.platformZone.id, claim.target, 'CNAME');
    world.version += 1;
  };

  /** A project changes what its default URL does. */
  const changeEndpoint = async () => {
    const { name } = random.pick(world.environments);
    await people.setEndpoint(random.pick(PROJECTS), random.pick(['redirect', 'serve', 'closed']), name);
  };

  const ofDns = [
    flap,
    failServers(false),
    failServers(true),
    lag,
    leaveStrayAddress,
    forbidCertificates,
    proxy,
  ];
  const ofOthers = [
    revokeCertificate,
    renewCertificate,
    occupy,
    changePlan,
    tamper,
    throttleProofs,
    changeEndpoint,
  ];

  return {
    occupy,
    tamper,
    leaveStrayAddress: (domain: string) => leaveStrayAddress(domain, dns.zoneOf(domain)),

    /** Something that happens at the start of a run and stays. */
    surroundings(): void {
      world.publicDns.isDualStack = random.chance(0.5);
      if (random.chance(0.2)) thirdParty.certify(random.pick(NAMES));
      if (random.chance(0.1)) thirdParty.occupy(random.pick(NAMES));
    },

    happen(): Promise<void> {
      const domain = random.pick(NAMES);
      return random.pick([...ofDns, ...ofOthers])(domain, dns.zoneOf(domain));
    },
  };
}
