import type {
  ApiKey,
  AuditEntry,
  DomainSummary,
  OrderView,
  ProjectView,
} from '../../../shared/operator/contract.ts';
import type { Usage } from '../../operator/logs/usage.ts';

/** What the server and the page send each other. */

/** What the page gets for the token of a sign-in link, or for the secret of a session that another tab has opened. */
export interface OpenedSession {
  /** The secret that it sends with every request, at the host of the link only. */
  readonly session: string;
  readonly environments: readonly EnvironmentView[];
}

export interface EnvironmentView {
  readonly stage: string;
  /** Whether it runs on this machine and not on AWS. */
  readonly isLocal: boolean;
}

/** What AWS says about an environment. */
export interface EnvironmentDetails {
  readonly region: string;
  /** The AWS account; null on one machine, or if AWS does not say. */
  readonly account: string | null;
  /** The operator that the audit log will name. */
  readonly by: string | null;
  /** The base URL of the HTTP interface, if it is known. */
  readonly baseUrl: string | null;
  /** Where custom domains are reached on one machine, for curl. */
  readonly edge: { readonly https: string; readonly ca: string } | null;
}

/** What became of the records of domains at the DNS server of this machine. */
export interface CreatedRecords {
  /** Their types and names: `CNAME www.example.com`. None while something is in their way. */
  readonly created: readonly string[];
  /** What has to be deleted for them, with its values, and wasn't confirmed. */
  readonly inTheWay: readonly string[];
}

export type KeyUsage = Omit<Usage, 'keyId'>;

/** An error as the page gets it. The operator function's own errors have its code, reason and message. */
export interface ShownError {
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** What to do next, a line each. */
  readonly advice?: readonly string[] | undefined;
  /** Whether the change that failed may have been made. Sent again with its request id, it's made once. */
  readonly isOpen?: boolean;
  /** The origin at which the newest session was opened, if this one has ended. */
  readonly newestOrigin?: string | undefined;
}

/** What a page of a list is chosen by. What is left out or unknown is the default. */
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
  /** How many there are without the search and the filter, and with them. */
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

/** An API key, whether a rotation has replaced it, and if not, whether its client needs another one soon. */
export type ListedKey = ApiKey & { readonly isReplaced: boolean; readonly expiresSoon: boolean };

/** A change, and the name of the API key that it was about. */
export type ListedEntry = Omit<AuditEntry, 'result'> & { readonly keyName?: string };

/** How long ago the server began to read what it has kept and responds with, and whether it is reading it again. */
export interface ReadAge {
  readonly ms: number;
  readonly isReading: boolean;
}

export type ApiResponse<Result = unknown> =
  | {
      readonly ok: true;
      readonly result: Result;
      /** Identifies the result of a read: sent with the next one, it need not be sent again. */
      readonly revision?: string;
      readonly age?: ReadAge;
      /** What a change did not do for something else that it concerns, a sentence each. */
      readonly warnings?: readonly string[];
      /** That the environment runs another version than the dashboard. */
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
