import type {
  ApiKey,
  AuditEntry,
  DomainSummary,
  OrderView,
  ProjectView,
} from '../../../shared/operator/contract.ts';
import type { Usage } from '../../operator/logs/usage.ts';

/** The protocol between the server and the page. */

/** What the page gets for a sign-in link's token, or for the secret of a session opened in another tab. */
export interface OpenedSession {
  /** The secret it sends with every request, to the link's host only. */
  readonly session: string;
  readonly environments: readonly EnvironmentView[];
}

export interface EnvironmentView {
  readonly stage: string;
  /** Whether it runs on this machine and not on AWS. */
  readonly isLocal: boolean;
}

/** An environment's details from AWS. */
export interface EnvironmentDetails {
  readonly region: string;
  /** The AWS account; null on one machine, or if AWS does not say. */
  readonly account: string | null;
  /** Whom the audit log will name. */
  readonly by: string | null;
  /** The base URL of the HTTP interface, if it is known. */
  readonly baseUrl: string | null;
  /** Where custom domains are reached on one machine, for curl. */
  readonly edge: { readonly https: string; readonly ca: string } | null;
}

/** What was done to the records of domains at the local DNS server. */
export interface CreatedRecords {
  /** Their types and names: `CNAME www.example.com`. Empty while something is in their way. */
  readonly created: readonly string[];
  /** What has to be deleted first, with its values, and wasn't confirmed. */
  readonly inTheWay: readonly string[];
}

export type KeyUsage = Omit<Usage, 'keyId'>;

/** An error for the page. The operator function's own errors keep their code, reason and message. */
export interface ShownError {
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** What to do next, a line each. */
  readonly advice?: readonly string[] | undefined;
  /** Whether the failed change may have been made. If it's sent again with its request id, it's made only once. */
  readonly isOpen?: boolean;
  /** Where the newest session was opened, if this one has ended. */
  readonly newestOrigin?: string | undefined;
}

/** Selects a page of a list. Anything left out or unknown takes its default. */
export interface ListQuery {
  /** Only what belongs to a project. */
  readonly project?: string | undefined;
  /** Words that must all occur. */
  readonly search?: string | undefined;
  readonly filter?: string | undefined;
  readonly sort?: string | undefined;
  /** From 1 on. */
  readonly page?: number | undefined;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** How many there are without and with the search and the filter. */
  readonly total: number;
  readonly matching: number;
  readonly page: number;
  readonly pages: number;
  /** The number of the first row, from 1 on. */
  readonly first: number;
  /** Whether the rest is still being read. */
  readonly isPartial: boolean;
  /** Whether there is more than the dashboard reads. */
  readonly isCut: boolean;
}

export interface ListRows {
  readonly domains: DomainSummary;
  readonly keys: ListedKey;
  readonly orders: OrderView;
  readonly projects: ListedProject;
  readonly audit: ListedEntry;
}

export type ListedProject = Pick<ProjectView, 'id' | 'name' | 'plan' | 'deploy' | 'createdAt'> & {
  readonly url: string;
  /** Null until the domains have been read. */
  readonly domains: { readonly total: number; readonly live: number; readonly attention: number } | null;
};

/** An API key, whether a rotation replaced it, and if not, whether its client needs another soon. */
export type ListedKey = ApiKey & { readonly isReplaced: boolean; readonly expiresSoon: boolean };

/** A change, and the name of the API key it was about. */
export type ListedEntry = Omit<AuditEntry, 'result'> & { readonly keyName?: string };

/** How long ago the server began to read what it responds with, and whether it's reading it again. */
export interface ReadAge {
  readonly ms: number;
  readonly isReading: boolean;
}

export type ApiResponse<Result = unknown> =
  | {
      readonly ok: true;
      readonly result: Result;
      /** Identifies a read's result: if the next read sends it, an unchanged result isn't resent. */
      readonly revision?: string;
      readonly age?: ReadAge;
      /** Other things a change affects and that couldn't be done, one sentence each. */
      readonly warnings?: readonly string[];
      /** Says that the environment runs a different version from the dashboard's. */
      readonly versionNote?: string;
    }
  | { readonly ok: false; readonly error: ShownError };

/** The response to a read whose result the page has already. */
export interface UnchangedResponse {
  readonly ok: true;
  readonly isUnchanged: true;
  readonly age?: ReadAge;
  readonly versionNote?: string;
}
