import type { Target } from '../../operator/connection/target.ts';

/** A resource of the account that may be this environment's, with its tags. */
export interface TaggedResource {
  readonly id: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
  readonly createdAt?: Date | undefined;
}

type Options = Target['aws'];

/** The most that API Gateway puts on a page. */
const PAGE_SIZE = 500;

/** The custom domain names of the account in the region, including those of other teams. */
export async function listDomainNames(options: Options): Promise<TaggedResource[]> {
  const { APIGatewayClient, paginateGetDomainNames } = await import('@aws-sdk/client-api-gateway');
  const client = new APIGatewayClient(options);
  const pages = await Array.fromAsync(paginateGetDomainNames({ client, pageSize: PAGE_SIZE }, {}));
  return pages
    .flatMap(({ items = [] }) => items)
    .map(({ domainName = '', tags = {} }) => ({ id: domainName, tags }));
}

export async function countGatewayKeys(options: Options): Promise<number> {
  const { APIGatewayClient, paginateGetApiKeys } = await import('@aws-sdk/client-api-gateway');
  const client = new APIGatewayClient(options);
  const pages = await Array.fromAsync(paginateGetApiKeys({ client, pageSize: PAGE_SIZE }, {}));
  return pages.flatMap(({ items = [] }) => items).length;
}

/** The certificates of the account in the region with their tags, including those of other teams. */
export async function listTaggedCertificates(options: Options): Promise<TaggedResource[]> {
  const { ACMClient, ListTagsForCertificateCommand, ResourceNotFoundException } = await import(
    '@aws-sdk/client-acm'
  );
  // A call for each certificate soon exceeds ACM's rate; in this mode the client slows down to it.
  const client = new ACMClient({ ...options, retryMode: 'adaptive', maxAttempts: 8 });
  const found: TaggedResource[] = [];
  for (const { CertificateArn: id = '', CreatedAt: createdAt } of await listCertificates(options)) {
    try {
      const { Tags = [] } = await client.send(new ListTagsForCertificateCommand({ CertificateArn: id }));
      const tags = Object.fromEntries(Tags.map(({ Key = '', Value }) => [Key, Value]));
      found.push({ id, tags, createdAt });
    } catch (error) {
      // It was deleted since it was listed.
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
  }
  return found;
}

export async function listCertificates(options: Options) {
  const { ACMClient, KeyAlgorithm, paginateListCertificates } = await import('@aws-sdk/client-acm');
  const client = new ACMClient(options);
  // Else ACM lists only those with RSA keys of up to 2048 bits.
  const Includes = { keyTypes: Object.values(KeyAlgorithm) };
  const pages = await Array.fromAsync(paginateListCertificates({ client }, { Includes }));
  return pages.flatMap(({ CertificateSummaryList = [] }) => CertificateSummaryList);
}
