import * as z from 'zod';
import { ACCOUNT_ID, PARTITION, REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';

/** The stage that serves a domain name. */
const BasePathMapping = z.strictObject({ restApiId: z.string(), stage: z.string() });
export type BasePathMapping = Readonly<z.infer<typeof BasePathMapping>>;

/** A custom domain name; only the base path (none) can be mapped. */
const DomainName = z.strictObject({
  domainName: z.string(),
  /** Of the load balancer that serves the name, as in d-<id>.execute-api.us-east-1.amazonaws.com. */
  id: z.string(),
  certificateArn: z.string(),
  securityPolicy: z.literal('TLS_1_2'),
  ipAddressType: z.enum(['ipv4', 'dualstack']),
  tags: z.record(z.string(), z.string()),
  mapping: BasePathMapping.optional(),
});
export type DomainName = Readonly<z.infer<typeof DomainName>>;

export type NewDomainName = Omit<DomainName, 'id' | 'mapping'>;

/** A certificate that a load balancer holds until this time, after its domain name was deleted or got another one. */
const Release = z.strictObject({ certificateArn: z.string(), id: z.string(), atMs: z.number() });

const Content = z.strictObject({
  domainNames: z.array(DomainName).readonly(),
  releases: z.array(Release).readonly(),
  /** A name is unique in the region, across all accounts. */
  namesOfOtherAccounts: z.array(z.string()).readonly(),
});

interface DomainNamesOptions extends Partial<Surroundings> {
  readonly file?: string | undefined;
}

/**
 * The custom domain names of the account, kept in a file of the form {"domainNames": [{"domainName": "…", …}],
 * "releases": [{"certificateArn": "…", …}]}, written before a change takes effect.
 */
export class DomainNames {
  readonly #file: KeptFile<typeof Content>;
  readonly #surroundings: Surroundings;
  readonly #byName: Map<string, DomainName>;
  #releases: z.output<typeof Content>['releases'];
  #namesOfOtherAccounts: z.output<typeof Content>['namesOfOtherAccounts'];

  constructor({ file, ...given }: DomainNamesOptions = {}) {
    this.#file = new KeptFile(file, Content);
    this.#surroundings = surroundings(given);
    const { domainNames = [], releases = [], namesOfOtherAccounts = [] } = this.#file.read() ?? {};
    this.#byName = new Map(domainNames.map(kept => [kept.domainName, kept]));
    this.#releases = releases;
    this.#namesOfOtherAccounts = namesOfOtherAccounts;
  }

  /** All domain names in alphabetical order. */
  list(): readonly DomainName[] {
    return [...this.#byName.values()].sort((a, b) => (a.domainName < b.domainName ? -1 : 1));
  }

  find(domainName: string): DomainName | undefined {
    return this.#byName.get(domainName);
  }

  /** The domain name that serves a host: one of its own, or a wildcard for the names directly below its parent. */
  serving(host: string): DomainName | undefined {
    return this.find(host) ?? this.find(wildcardOf(host));
  }

  /**
   * Whether a name cannot be created. In an account a wildcard and the names that it covers can be beside each other, but
   * not across accounts.
   */
  isTaken(domainName: string, isOtherAccount: boolean): boolean {
    const own = [...this.#byName.keys()];
    const others = this.#namesOfOtherAccounts;
    const [same, foreign] = isOtherAccount ? [others, own] : [own, others];
    const overlaps = (name: string) => wildcardOf(name) === domainName || wildcardOf(domainName) === name;
    return [...same, ...foreign].includes(domainName) || foreign.some(overlaps);
  }

  /** Notes that another account has a name. Everything else about it is that account's own. */
  takeForOtherAccount(domainName: string): void {
    const namesOfOtherAccounts = [...this.#namesOfOtherAccounts, domainName];
    this.#keep(new Map(), { namesOfOtherAccounts });
    this.#namesOfOtherAccounts = namesOfOtherAccounts;
  }

  /** The ARNs of the load balancers that hold a certificate, including those that have not released it yet. */
  usesOf(certificateArn: string): readonly string[] {
    const ids = [...this.#byName.values(), ...this.#recentReleases()]
      .filter(user => user.certificateArn === certificateArn)
      .map(({ id }) => loadBalancerArn(id));
    return [...new Set(ids)];
  }

  add(newDomainName: NewDomainName): DomainName {
    const added = { ...newDomainName, id: this.#surroundings.newId('apigateway') };
    this.put(added);
    return added;
  }

  /** Adds or replaces a name as it is. */
  put(domainName: DomainName): void {
    this.#replace(domainName.domainName, domainName);
  }

  /** Gives a name another certificate. */
  changeCertificate(domainName: string, certificateArn: string): void {
    this.#change(domainName, { certificateArn });
  }

  /** Maps the base path (none) to a stage, or removes the mapping. */
  map(domainName: string, mapping: BasePathMapping | undefined): void {
    this.#change(domainName, { mapping });
  }

  /** Removes a name with its mapping. */
  remove(domainName: string): void {
    this.#replace(domainName, undefined);
  }

  #change(domainName: string, change: Partial<DomainName>): void {
    const existing = this.find(domainName);
    if (existing !== undefined) this.put({ ...existing, ...change });
  }

  /** Records a release of a certificate that the name used before and does not use afterwards. */
  #replace(name: string, next: DomainName | undefined): void {
    const { now, behavior } = this.#surroundings;
    const before = this.find(name);
    const isReleased = before !== undefined && before.certificateArn !== next?.certificateArn;
    const released = isReleased
      ? [{ certificateArn: before.certificateArn, id: before.id, atMs: now() + behavior().inUseMs() }]
      : [];
    const releases = [...this.#recentReleases(), ...released];
    this.#keep(new Map([[name, next]]), { releases });
    this.#releases = releases;
    if (next === undefined) this.#byName.delete(name);
    else this.#byName.set(name, next);
  }

  #keep(
    changes: ReadonlyMap<string, DomainName | undefined>,
    other: Partial<z.output<typeof Content>>,
  ): void {
    this.#file.keep(() => {
      const all = new Map<string, DomainName | undefined>([...this.#byName, ...changes]);
      return {
        domainNames: [...all.values()].filter(name => name !== undefined),
        releases: this.#releases,
        namesOfOtherAccounts: this.#namesOfOtherAccounts,
        ...other,
      };
    });
  }

  #recentReleases() {
    return this.#releases.filter(({ atMs }) => this.#surroundings.now() < atMs);
  }
}

/** The wildcard that covers a name: *.zoo.example for lion.zoo.example. */
function wildcardOf(name: string): string {
  return name.replace(/^[^.]+/, '*');
}

/** The name of the load balancer, which DNS points the domain name at. */
export function regionalDomainName({ id }: DomainName): string {
  return `d-${id}.execute-api.${REGION}.${URL_SUFFIX}`;
}

function loadBalancerArn(id: string): string {
  return `arn:${PARTITION}:elasticloadbalancing:${REGION}:${ACCOUNT_ID}:loadbalancer/net/d-${id}`;
}
