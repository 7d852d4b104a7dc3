import type { RequestCertificateCommandOutput } from '@aws-sdk/client-acm';
import {
  type Actor,
  HOUR_MS,
  type ItemWrite,
  MINUTE_MS,
  type RecordChange,
  validationOf,
} from '../../../infra/local/simulation.ts';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../shared/aws/ownership-tags.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import { NO_ROUTING, type Routing } from '../../../shared/projects/routing.ts';
import { type ClaimView, claimIn, DEFAULT_CLAIM, leaseIn, may, ownerOf } from '../claims-view.ts';
import type { EnvironmentName } from '../deployed.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import type { World } from '../world.ts';

/** Nothing of others is touched: notes a violation when a function changes what belongs to somebody else. */
export function guardOwnership(world: World): void {
  const claimsOf = (environment: string) => world[environment as EnvironmentName].domains();
  const claimWithTags = (
    tags: Readonly<Record<string, string>>,
    environment: string,
  ): ClaimView | undefined =>
    tags[ENVIRONMENT_TAG] === environment
      ? claimsOf(environment).find(({ id }) => id === tags[CLAIM_TAG])
      : undefined;

  /** Whether tags prove that something belongs to the environment and the project that a function works for. */
  const isOwn = (
    tags: Readonly<Record<string, string>>,
    { purpose: { environment = '', project } }: Actor,
  ): boolean => {
    // Whatever changes a primary domain brings all default URLs in line with it.
    if (tags[CLAIM_TAG] === DEFAULT_CLAIM) return tags[ENVIRONMENT_TAG] === environment;
    const claim = claimWithTags(tags, environment);
    if (claim === undefined || project === undefined) return claim !== undefined;
    // A function of the former project completes what it has begun, as the present project asks for.
    return [claim.project, ...claim.formerProjects].includes(project);
  };

  /** A domain name is created, or the change of an existing one is requested, that of its mapping included. */
  const guardDomainName = (domain: string, change: string, by: Actor) => {
    const { tags } = world.domainNames.find(domain) ?? {};
    if (tags && !isOwn(tags, by)) {
      world.violate(
        `${by.name} of ${by.purpose.environment} touches the domain name ${domain} of others (${change})`,
      );
    }
  };

  const guardCertificate = (arn: string | undefined, isNew: boolean, by: Actor) => {
    const certificate = world.certificates.find(arn ?? '');
    if (!certificate) return;
    const {
      tags,
      names: [domain = ''],
    } = certificate;
    if (isNew) noteShared(domain);
    // An add that was committed by its second delivery may request a certificate for a claim that is gone by now.
    const isInEnvironment = tags[ENVIRONMENT_TAG] === by.purpose.environment && tags[CLAIM_TAG] !== undefined;
    if (isNew ? !isInEnvironment : !isOwn(tags, by)) {
      const change = isNew ? 'request' : 'deletion';
      world.violate(
        `${by.name} of ${by.purpose.environment} touches ${arn} of others for ${domain} (${change})`,
      );
    }
  };
  world.watch(({ service, operation, input, actor }, when, output) => {
    const { domainName = '', CertificateArn } = input as { domainName?: string; CertificateArn?: string };
    const isNew = operation === 'CreateDomainName' || operation === 'RequestCertificate';
    if (when !== (isNew ? 'after' : 'before')) return;
    if (service === 'apigateway' && /^(Create|Update|Delete)/.test(operation))
      guardDomainName(domainName, operation, actor);
    if (operation === 'DeleteCertificate') guardCertificate(CertificateArn, false, actor);
    if (operation === 'RequestCertificate')
      guardCertificate((output as RequestCertificateCommandOutput).CertificateArn, true, actor);
  });

  world.route53.onChange = (change, by) => {
    world.dns.noteChange(change);
    if (!by) return;
    const isAllowed =
      change.zoneId === MANAGED_ZONE.id
        ? isOwnManagedRecord(change, by)
        : change.zoneId === world[by.purpose.environment as EnvironmentName].platformZone.id;
    if (!isAllowed)
      world.violate(
        `${by.name} of ${by.purpose.environment} changes the ${change.type} record ${change.name} of others`,
      );
  };

  /** The environments and teams that share the validation record of a name do not know who is the last to need it. */
  function noteShared(domain: string): void {
    const requested = world.certificates.list().filter(({ names }) => names[0] === domain);
    const environments = requested.map(({ tags }) => tags[ENVIRONMENT_TAG]);
    if (new Set(environments).size > 1) world.sharedValidations.add(validationOf(domain).name);
  }

  /** In the managed zone records are created, and those of the own claims deleted. */
  function isOwnManagedRecord({ action, name, before }: RecordChange, by: Actor): boolean {
    if (action === 'CREATE') return true;
    if (action !== 'DELETE' || !before) return false;
    const text = before.values.join();
    const validated = world.certificates
      .list()
      .filter(({ names }) => validationOf(names[0] ?? '').name === name);
    // A certificate that ACM did not list yet when the deletion began is at the beginning of its own flow, which creates
    // the record again. Those of other claims in the environment belong to projects that have not proven the name.
    const isNeeded = validated.some(
      certificate =>
        world.issuance.listedAtMs(certificate) < by.startedAtMs &&
        certificate.tags[ENVIRONMENT_TAG] !== by.purpose.environment,
    );
    const isOfOther = world.environments.some(environment =>
      environment
        .domains()
        .some(
          ({ project, target, challenge }) =>
            (text.includes(target) || text.includes(challenge)) &&
            (environment.name !== by.purpose.environment ||
              ![project, undefined].includes(by.purpose.project)),
        ),
    );
    return !isNeeded && !isOfOther;
  }
}

/**
 * Watches every write: notes a violation when somebody stores what he has seen of a name that others are at work on, when a
 * name passes from owner to owner, or when a domain loses its role.
 */
export function guardTables(world: World, onWrite: (write: ItemWrite, by: Actor) => void): void {
  /** Who has taken the lease of a name last, by environment and name. */
  const holders = new Map<string, Actor>();
  const checkHolder = ({ before, after }: ItemWrite, by: Actor) => {
    const lease = leaseIn(after);
    if (lease && lease.holder !== leaseIn(before)?.holder)
      holders.set(`${by.purpose.environment} ${lease.name}`, by);
    const claim = claimIn(after) ?? claimIn(before);
    if (!claim || may.commitWithoutLease(by)) return;
    const holder = holders.get(`${by.purpose.environment} ${claim.domain}`);
    if (holder !== by)
      world.violate(`${by.name} writes ${claim.domain}, whose lease ${holder?.name ?? 'nobody'} has`);
  };
  world.dynamodb.onWrite = (write, by) => {
    onWrite(write, by);
    const { tables } = world[by.purpose.environment as EnvironmentName];
    if (write.table === tables.domains) checkHolder(write, by);
    if (write.table === tables.domains) checkOwner(world, write, by);
    if (write.table === tables.projects) checkRoles(world, write, by);
  };
}

/**
 * A name has one owner, until the owner's claim is gone, is moved, or has no record in DNS any more while another claim has.
 */
function checkOwner(world: World, { before, after }: ItemWrite, by: Actor): void {
  const [from, to] = [ownerOf(before), ownerOf(after)];
  if (from === undefined || to === undefined || from === to) return;
  const why = objectionTo(world, String(after?.domain), { from, to }, by);
  if (why) world.violate(`${by.name} makes ${to} the owner of ${after?.domain}, which is ${from}'s: ${why}`);
}

/** Why a name may not pass from one project to another, if it may not. */
function objectionTo(
  world: World,
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
  by: Actor,
): string | undefined {
  const { dns, time } = world;
  const environment = world[by.purpose.environment as EnvironmentName];
  const [owner, claim] = [environment.domain(name, from), environment.domain(name, to)];
  if (!claim) return 'it has no claim';
  if (!owner) return may.move(by) ? undefined : 'nobody has moved it';
  if (!may.takeOver(by)) return 'only a verification takes a name over';
  const text = `${CHALLENGE_LABEL}.${name}`;
  if (dns.lastSeenMs(text, 'TXT', claim.challenge) < time.nowMs - HOUR_MS)
    return 'its TXT record is not in DNS';
  if (owner.isBeingRemoved) return undefined;
  const isSupported =
    dns.isStanding(text, 'TXT', owner.challenge, MINUTE_MS) ||
    (!owner.isApex && dns.isStanding(name, 'CNAME', owner.target, MINUTE_MS));
  if (isSupported) return 'DNS supports the owner';
  const sinceMs = claim.contestedSinceMs ?? time.nowMs;
  return time.nowMs - sinceMs >= 6 * HOUR_MS ? undefined : 'it is too early';
}

/** A domain keeps its roles until it is removed, or a command assigns the role to another one. */
function checkRoles(world: World, { key: project, before, after }: ItemWrite, by: Actor): void {
  if (!before?.routing) return;
  const environment = world[by.purpose.environment as EnvironmentName];
  const isRemoved = (domain: string) => {
    const claim = environment.domain(domain, project);
    return claim === undefined || claim.isBeingRemoved;
  };
  const was = before.routing as Routing;
  const is = (after?.routing ?? NO_ROUTING) as Routing;
  const isPrimaryLost = was.primary !== null && is.primary !== was.primary && !isRemoved(was.primary);
  if (isPrimaryLost && !may.changePrimary(by)) {
    world.violate(`${was.primary} is no longer the primary of ${project}, by ${by.name}`);
  }
  for (const { from, to } of was.redirects) {
    const isKept = is.redirects.some(redirect => redirect.from === from && redirect.to === to);
    if (isKept || isRemoved(from) || isRemoved(to)) continue;
    if (!may.changeRedirects(by)) {
      world.violate(`${from} no longer redirects to ${to}, by ${by.name}`);
    }
  }
}
