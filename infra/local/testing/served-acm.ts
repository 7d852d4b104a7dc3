import { ACMClient, DescribeCertificateCommand, RequestCertificateCommand } from '@aws-sdk/client-acm';
import { onTestFinished } from 'vitest';
import { acmApi } from '../acm/acm-service.ts';
import { openCertificateAuthority } from '../acm/certificate-authority.ts';
import { Certificates } from '../acm/certificates.ts';
import { type CaaRecord, type Lookup, type LookupAnswer, validationRecord } from '../acm/dns-validation.ts';
import { Issuance } from '../acm/issuance.ts';
import { awsService } from '../aws-api/aws-service.ts';
import type { AwsEvent } from '../events/rules.ts';
import type { Principal } from '../iam/principal.ts';
import { serveEndpoint } from './served-endpoint.ts';
import { temporaryFolder } from './temporary-folder.ts';

export { validationRecord };

export const DAY_MS = 24 * 60 * 60 * 1000;

interface ServedAcmOptions {
  readonly principal?: Principal;
  readonly file?: string;
  readonly waitScale?: number;
}

/** ACM on a free port until the test has finished, with DNS and a clock that the test sets, and what it announces. */
export async function serveAcm({ principal, file, waitScale = 1 }: ServedAcmOptions = {}) {
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const dns = new FakeLookup();
  const announced: AwsEvent[] = [];
  const users = new Map<string, readonly string[]>();
  const certificates = new Certificates(file);
  const authority = await openCertificateAuthority(temporaryFolder());
  const inUseBy = (arn: string) => users.get(arn) ?? [];
  const issuance = new Issuance({
    certificates,
    authority,
    lookup: dns,
    waitScale,
    isInUse: arn => inUseBy(arn).length > 0,
    announce: event => announced.push(event),
    now,
  });
  const service = awsService(acmApi({ certificates, issuance, inUseBy, now }));
  const { endpoint, clientOptions } = await serveEndpoint({ acm: service }, principal);
  const client = new ACMClient(clientOptions);
  onTestFinished(() => client.destroy());

  const requested = async (DomainName: string, more: object = {}): Promise<string> => {
    const command = new RequestCertificateCommand({ DomainName, ValidationMethod: 'DNS', ...more });
    return (await client.send(command)).CertificateArn ?? '';
  };
  const described = async (CertificateArn: string) =>
    (await client.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate ?? {};
  const publish = (name: string) => {
    const { Name, Value } = validationRecord(name);
    dns.cnames.set(Name.slice(0, -1), Value.slice(0, -1));
  };
  const issued = async (name: string, more: object = {}): Promise<string> => {
    const arn = await requested(name, more);
    publish(name);
    clock.nowMs += 5000;
    await issuance.check(arn);
    return arn;
  };
  return Object.assign(clock, {
    endpoint,
    client,
    dns,
    announced,
    users,
    certificates,
    authority,
    issuance,
    requested,
    described,
    publish,
    issued,
  });
}

/** DNS as a test sets it: names in lower case, without a trailing dot. What is in neither does not exist. */
export class FakeLookup implements Lookup {
  readonly cnames = new Map<string, string>();
  readonly caas = new Map<string, readonly CaaRecord[]>();
  readonly failing = new Set<string>();
  readonly questions: string[] = [];

  cname(name: string): Promise<LookupAnswer<string>> {
    const target = this.cnames.get(name);
    return this.#answer('CNAME', name, target === undefined ? undefined : [target]);
  }

  caa(name: string): Promise<LookupAnswer<CaaRecord>> {
    return this.#answer('CAA', name, this.caas.get(name));
  }

  async #answer<Value>(
    type: string,
    name: string,
    records: readonly Value[] | undefined,
  ): Promise<LookupAnswer<Value>> {
    this.questions.push(`${type} ${name}`);
    if (this.failing.has(name)) return { outcome: 'SERVFAIL' };
    if (records !== undefined) return { outcome: 'RECORDS', records };
    return { outcome: this.cnames.has(name) || this.caas.has(name) ? 'NODATA' : 'NXDOMAIN' };
  }
}

export const issue = (value: string): CaaRecord => ({ flags: 0, tag: 'issue', value });
