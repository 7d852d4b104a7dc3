import type { Examination } from './examination.ts';

/** A resource of the account that may be this environment's, with its tags. */
export interface TaggedResource {
  readonly id: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
  readonly createdAt: Date | undefined;
}

type Options = Examination['clientOptions'];

/** The most that API Gateway puts on a page. */
const PAGE_SIZE = 500;

/** The custom domain names of the account in the region, whosever they are. */
export async function listDomainNames(options: Options): Promise<TaggedResource[]> {
  const { APIGatewayClient, paginateGetDomainNames } = await import('@aws-sdk/client-api-gateway');
  const client = new APIGatewayClient(options);
  const found: TaggedResource[] = [];
  try {
    for await (const { items = [] } of paginateGetDomainNames({ client, pageSize: PAGE_SIZE }, {})) {
      found.push(
        ...items.map(({ domainName = '', tags = {} }) => ({ id: domainName, tags, createdAt: undefined })),
      );
    }
  } finally {
    client.destroy();
  }
  return found;
}

/** How many API keys the account has at API Gateway in the region. */
export async function countGatewayKeys(options: Options): Promise<number> {
  const { APIGatewayClient, paginateGetApiKeys } = await import('@aws-sdk/client-api-gateway');
  const client = new APIGatewayClient(options);
  let count = 0;
  try {
    for await (const { items = [] } of paginateGetApiKeys({ client, pageSize: PAGE_SIZE }, {})) {
      count += items.length;
    }
  } finally {
    client.destroy();
  }
  return count;
}

/** How many certificates the account has in the region. */
export async function countCertificates(options: Options): Promise<number> {
  return (await listCertificates(options, async () => ({}))).length;
}

/** The certificates of the account in the region with their tags, whosever they are. */
export async function listTaggedCertificates(options: Options): Promise<TaggedResource[]> {
  const { ACMClient, ListTagsForCertificateCommand, ResourceNotFoundException } = await import(
    '@aws-sdk/client-acm'
  );
  // A call for each certificate soon exceeds ACM's rate; in this mode the client slows down to it.
  const client = new ACMClient({ ...options, retryMode: 'adaptive', maxAttempts: 8 });
  try {
    return await listCertificates(options, async arn => {
      try {
        const { Tags = [] } = await client.send(new ListTagsForCertificateCommand({ CertificateArn: arn }));
        return Object.fromEntries(Tags.map(({ Key = '', Value }) => [Key, Value]));
      } catch (error) {
        // It was deleted since it was listed.
        if (error instanceof ResourceNotFoundException) return {};
        throw error;
      }
    });
  } finally {
    client.destroy();
  }
}

async function listCertificates(
  options: Options,
  tagsOf: (arn: string) => Promise<TaggedResource['tags']>,
): Promise<TaggedResource[]> {
  const { ACMClient, KeyAlgorithm, paginateListCertificates } = await import('@aws-sdk/client-acm');
  const client = new ACMClient(options);
  // Else ACM lists only those with RSA keys of up to 2048 bits.
  const Includes = { keyTypes: Object.values(KeyAlgorithm) };
  const found: TaggedResource[] = [];
  try {
    for await (const { CertificateSummaryList = [] } of paginateListCertificates({ client }, { Includes })) {
      for (const { CertificateArn: id = '', CreatedAt: createdAt } of CertificateSummaryList) {
        found.push({ id, tags: await tagsOf(id), createdAt });
      }
    }
  } finally {
    client.destroy();
  }
  return found;
}
