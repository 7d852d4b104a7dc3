import type { DomainRecord, DomainReport, Project } from '../../../shared/operator/contract.ts';
import type { EnvironmentDetails } from '../environment-view.ts';

/** What the page shows and the contract does not say yet. Each function is to be replaced by a field of the contract. */

export interface Address {
  readonly host: string;
  readonly url: string;
}

/** Where a project is reached: its primary domain, or the API that it is published at. */
export function addressOf(
  { primary, apiId, stage }: Project,
  { isLocal, details }: { isLocal: boolean; details: EnvironmentDetails | undefined },
): Address | undefined {
  if (primary) return { host: primary, url: `https://${primary}` };
  if (isLocal)
    return details?.baseUrl ? { host: withoutScheme(details.baseUrl), url: details.baseUrl } : undefined;
  if (!details) return undefined;
  const url = `https://${apiId}.execute-api.${details.region}.amazonaws.com/${stage}/v1`;
  return { host: withoutScheme(url), url };
}

export type Role =
  | { readonly kind: 'primary' }
  | { readonly kind: 'redirect'; readonly to: string; readonly status: number }
  | { readonly kind: 'serves' }
  | { readonly kind: 'none' };

/** What a domain does for its project; nothing until it is live. */
export function roleOf({ status, primary, redirect }: DomainReport): Role {
  if (redirect) return { kind: 'redirect', ...redirect };
  if (primary) return { kind: 'primary' };
  return status === 'live' ? { kind: 'serves' } : { kind: 'none' };
}

/** The name to type at a DNS provider that appends the zone by itself; undefined where the zone is not known. */
export function labelOf(record: DomainRecord & { readonly label?: string }): string | undefined {
  return record.label;
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
