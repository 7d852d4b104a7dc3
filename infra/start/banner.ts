import { relative, resolve, sep } from 'node:path';
import { FALLBACK_NOTE } from '../dashboard/server/access.ts';

export interface ReadyEnvironment {
  readonly url: string;
  readonly apiKey: string;
}

/** What `--json` prints, in this order. */
export interface ReadyService {
  readonly environments: Readonly<Record<string, ReadyEnvironment>>;
  readonly awsEndpoint: string;
  readonly awsCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Where the hosted zones of this machine are served. */
  readonly dns: string;
  /** Where custom domains are served, and the certificate of the authority that signs theirs. */
  readonly edge: { readonly https: string; readonly ca: string };
  /** The link that signs a browser in to the dashboard, and one for browsers that can't open it. */
  readonly dashboard: string;
  readonly dashboardFallback: string;
}

export function jsonLine({ environments, ...service }: ReadyService): string {
  return JSON.stringify({ ...environments, ...service });
}

/** A path that works in this shell: relative below the current folder, absolute elsewhere. */
export function pathToShow(path: string): string {
  const fromHere = relative('', path);
  return fromHere === '..' || fromHere.startsWith(`..${sep}`) ? resolve(path) : fromHere || '.';
}

/** What a person reads. A service that keeps nothing has no data folder. */
export function banner(
  { environments, awsEndpoint, awsCredentials, dns, edge, dashboard, dashboardFallback }: ReadyService,
  {
    engine,
    ...folders
  }: { readonly data: string | undefined; readonly engine: string; readonly logs: string },
): string {
  const data = folders.data === undefined ? 'in memory, lost when it stops' : pathToShow(folders.data);
  const names = Object.keys(environments);
  const width = Math.max(...names.map(name => name.length));
  const lines = Object.entries(environments).map(
    ([name, { url, apiKey }]) => `  ${name.padEnd(width)}  ${url}\n  ${' '.repeat(width)}  ${apiKey}`,
  );
  const [first] = Object.values(environments);
  // As everywhere, staging unless somebody asks for another.
  const proposed = environments.staging ?? first;
  return `
Petstore is running on this machine. Base URLs, each with an API key:

${lines.join('\n')}

Try it:

  curl -i -H 'Authorization: Bearer ${proposed?.apiKey}' ${proposed?.url}/pets

Dashboard     ${dashboard}
Reference     ${proposed?.url}/docs
AWS endpoint  ${awsEndpoint}
AWS CLI       export AWS_ENDPOINT_URL=${awsEndpoint} AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=${awsCredentials.accessKeyId} AWS_SECRET_ACCESS_KEY=${awsCredentials.secretAccessKey}
DNS server    ${dns}
HTTPS edge    ${edge.https}, certificates signed by ${edge.ca}
DynamoDB      ${engine}
Data          ${data}
Logs          ${pathToShow(folders.logs)}

${FALLBACK_NOTE}

  ${dashboardFallback}

Ctrl-C stops everything.
`;
}
