import { acmService } from '../acm/acm-service.ts';
import { type CertificateAuthority, openCertificateAuthority } from '../acm/certificate-authority.ts';
import { type Certificate, Certificates } from '../acm/certificates.ts';
import type { Lookup } from '../acm/dns-validation.ts';
import { Issuance } from '../acm/issuance.ts';
import { DomainNames } from '../apigateway-control/domain-names.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import type { AwsEvent } from '../events/rules.ts';
import type { DataFolder } from '../host/data-folder.ts';
import type { Surroundings } from '../surroundings.ts';

interface CustomDomainsOptions {
  readonly data: DataFolder;
  /** DNS as ACM sees it. */
  readonly lookup: Lookup;
  readonly surroundings: Surroundings;
  /** Receives the events of ACM. */
  announce(event: AwsEvent): void;
  report(line: string): void;
}

interface CustomDomains {
  /** The ACM API. */
  readonly acm: AwsService;
  readonly authority: CertificateAuthority;
  readonly domainNames: DomainNames;
  findCertificate(arn: string): Certificate | undefined;
  hasSpread(certificate: Certificate): boolean;
  /** What the edge serves of a certificate. */
  served(certificate: Certificate): Certificate['issued'];
  stop(): Promise<void>;
}

/** Starts the services for custom domains: certificates, which are validated by DNS, and domain names, which use them. */
export async function startCustomDomains(options: CustomDomainsOptions): Promise<CustomDomains> {
  const { data, lookup, surroundings, announce, report } = options;
  const authority = await openCertificateAuthority(data.authorityFolder);
  const certificates = new Certificates(data.certificatesFile, surroundings);
  const domainNames = new DomainNames({ file: data.domainNamesFile, ...surroundings });
  const inUseBy = (arn: string) => domainNames.usesOf(arn);
  const issuance = new Issuance({
    certificates,
    authority,
    lookup,
    ...surroundings,
    isInUse: arn => inUseBy(arn).length > 0,
    announce,
  });
  return {
    acm: acmService({ certificates, issuance, inUseBy, ...surroundings }),
    authority,
    domainNames,
    findCertificate: arn => certificates.find(arn),
    hasSpread: certificate => issuance.hasSpread(certificate),
    served: certificate => issuance.served(certificate),
    stop: issuance.start(report).stop,
  };
}
