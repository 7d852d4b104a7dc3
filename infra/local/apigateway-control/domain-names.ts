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
  securityPolicy: z.string(),
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
  #content: z.output<typeof Content>;

  constructor({ file, ...given }: DomainNamesOptions = {}) {
    this.#file = new KeptFile(file, Content);
    this.#surroundings = surroundings(given);
    this.#content = this.#file.read() ?? { domainNames: [], releases: [], namesOfOtherAccounts: [] };
  }

  /** All domain names in alphabetical order. */
  list(): readonly DomainName[] {
    return this.#content.domainNames.toSorted((a, b) => (a.domainName < b.domainName ? -1 : 1));
  }

  find(domainName: string): DomainName | undefined {
    return this.#content.domainNames.find(candidate => candidate.domainName === domainName);
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
    const own = this.#content.domainNames.map(existing => existing.domainName);
    const { namesOfOtherAccounts: others } = this.#content;
    const [same, foreign] = isOtherAccount ? [others, own] : [own, others];
    const overlaps = (name: string) => wildcardOf(name) === domainName || wildcardOf(domainName) === name;
    return [...same, ...foreign].includes(domainName) || foreign.some(overlaps);
  }

  /** Notes that another account has a name. Everything else about it is that account's own. */
  takeForOtherAccount(domainName: string): void {
    const { namesOfOtherAccounts } = this.#content;
    this.#keep({ ...this.#content, namesOfOtherAccounts: [...namesOfOtherAccounts, domainName] });
  }

  /** The ARNs of the load balancers that hold a certificate, including those that have not released it yet. */
  usesOf(certificateArn: string): readonly string[] {
    const { domainNames } = this.#content;
    const ids = [...domainNames, ...this.#recentReleases()]
      .filter(user => user.certificateArn === certificateArn)
      .map(({ id }) => loadBalancerArn(id));
    return [...new Set(ids)];
  }

  add(newDomainName: NewDomainName): DomainName {
    const added = { ...newDomainName, id: this.#surroundings.newId('apigateway') };
    this.#replace([...this.#content.domainNames, added]);
    return added;
  }

  /** Gives a name another certificate. */
  changeCertificate(domainName: string, certificateArn: string): void {
    this.#change(domainName, existing => ({ ...existing, certificateArn }));
  }

  /** Maps the base path (none) to a stage, or removes the mapping. */
  map(domainName: string, mapping: BasePathMapping | undefined): void {
    this.#change(domainName, existing => ({ ...existing, mapping }));
  }

  /** Removes a name with its mapping. */
  remove(domainName: string): void {
    this.#replace(this.#content.domainNames.filter(candidate => candidate.domainName !== domainName));
  }

  #change(domainName: string, change: (existing: DomainName) => DomainName): void {
    this.#replace(
      this.#content.domainNames.map(candidate =>
        candidate.domainName === domainName ? change(candidate) : candidate,
      ),
    );
  }

  /** Records a release for each certificate that a name used before and does not use afterwards. */
  #replace(domainNames: readonly DomainName[]): void {
    const { now, behavior } = this.#surroundings;
    const released = this.#content.domainNames
      .filter(({ id, certificateArn }) =>
        domainNames.every(other => other.id !== id || other.certificateArn !== certificateArn),
      )
      .map(({ id, certificateArn }) => ({ certificateArn, id, atMs: now() + behavior().inUseMs() }));
    this.#keep({ ...this.#content, domainNames, releases: [...this.#recentReleases(), ...released] });
  }

  #keep(content: z.output<typeof Content>): void {
    this.#file.keep(content);
    this.#content = content;
  }

  #recentReleases() {
    return this.#content.releases.filter(({ atMs }) => this.#surroundings.now() < atMs);
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
