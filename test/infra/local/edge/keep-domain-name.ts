import { join } from 'node:path';
import { openCertificateAuthority } from '../../../../infra/local/acm/certificate-authority.ts';
import { Certificates } from '../../../../infra/local/acm/certificates.ts';
import {
  type BasePathMapping,
  DomainNames,
} from '../../../../infra/local/apigateway-control/domain-names.ts';

interface KeptDomainName {
  readonly domainName: string;
  readonly mapping?: BasePathMapping;
  /** The end of its certificate; by default that of ACM's certificates. */
  readonly notAfterMs?: number;
}

/** Adds a domain name with its certificate, and optionally a mapping, to a data folder. Returns the certificate's ARN. */
export async function keepDomainName(
  dataFolder: string,
  { domainName, mapping, notAfterMs }: KeptDomainName,
): Promise<string> {
  const authority = await openCertificateAuthority(dataFolder);
  const certificates = new Certificates(join(dataFolder, 'acm.json'));
  const keyAlgorithm = 'EC_prime256v1';
  const { arn } = certificates.add({ names: [domainName], keyAlgorithm, tags: {}, createdAtMs: Date.now() });
  const signed = await authority.sign([domainName], keyAlgorithm, Date.now());
  const issued = { ...signed, issuedAtMs: Date.now(), ...(notAfterMs !== undefined && { notAfterMs }) };
  certificates.change(arn, { status: 'ISSUED', issued });
  const domainNames = new DomainNames({ file: join(dataFolder, 'domain-names.json') });
  domainNames.add({ domainName, certificateArn: arn, securityPolicy: 'TLS_1_2', tags: {} });
  if (mapping) domainNames.map(domainName, mapping);
  return arn;
}
