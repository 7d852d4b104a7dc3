import type { ApiKey } from '../api-keys/api-key-record.ts';
import type { KeyDifferences, ReconciledKeys, RemovedKeys } from '../api-keys/key-reconciliation.ts';
import type { Scope } from '../api-keys/scopes.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { WithdrawnUrls } from '../domains/default-urls.ts';
import type { FirstLook } from '../domains/first-look.ts';
import type { DomainReport } from '../domains/report.ts';
import type { Order } from '../orders/order.ts';
import type { Plan, Project, RedirectStatus, WhileLive } from '../projects/project.ts';
import type { RoutingRefusal } from '../projects/routing.ts';
import type { ProjectView } from './project-view.ts';

export type {
  ApiKey,
  AuditEntry,
  DomainReport,
  FirstLook,
  Plan,
  Project,
  ProjectView,
  RedirectStatus,
  Scope,
  WhileLive,
};

/**
 * The contract between the operator function and its callers, the petstore command and the dashboard: every command with its
 * result; inputs.ts has its input. The unions of names, the dashboard's list and the list in the error for an unknown command
 * come from this table, and the compiler checks it against the code on both sides.
 */
export const COMMANDS = {
  /** The oldest first; with a `limit` one page, and `after` is the `next` of the previous one, null at the end. */
  /**
   * With `compare`, also where API Gateway differs from the records, which uses some of API Gateway's few calls per second.
   */
  'keys.list': read<{ keys: ApiKey[]; next: string | null; differences?: KeyDifferences }>(),
  /** The key is in this response only. Without `scopes` it has all of them; without `expiresAt` it doesn't expire. */
  'keys.create': secretChange<NewApiKey>(),
  'keys.revoke': change<ApiKey>(),
  /** Deletes the record of a revoked or expired key. The audit log keeps what was done with it. */
  'keys.forget': change<ApiKey>(),
  'keys.rotate': secretChange<RotatedApiKey>(),
  /** Makes API Gateway agree with the records of the keys. If changes are `remaining`, send it again. */
  'keys.reconcile': change<ReconciledKeys>(),
  /** Removes all keys of the environment from API Gateway, before the stack is deleted. Their records stay. */
  'keys.withdraw': change<RemovedKeys>(),

  /** The newest orders first. */
  'orders.list': read<{ orders: OrderView[]; hasMore: boolean }>(),
  'orders.place': change<OrderView>(),
  'orders.approve': change<OrderView>(),
  'orders.deliver': change<OrderView>(),
  'orders.cancel': change<OrderView>(),

  /**
   * For ten minutes, makes createPet refuse what one of smoke's temporary keys sends with an Idempotency-Key, as if another pet
   * had been created with it.
   */
  'pets.rehearse': change<{ expiresAt: string }>(),

  'projects.list': read<{ projects: ProjectView[] }>(),
  'projects.show': read<ProjectView>(),
  /** The `name` is for people and shown in place of the id; everything else uses the id. */
  'projects.create': change<ProjectView>(),
  'projects.rename': change<ProjectView>(),
  'projects.plan': change<ProjectView>(),
  'projects.deployed': change<ProjectView>(),
  /** Sets what the default URL does while the project's primary domain is live. */
  'projects.endpoint': change<ProjectView>(),
  /** Removes the default URLs of all projects, before the stack is deleted. While some are `remaining`, send it again. */
  'projects.withdraw': change<WithdrawnUrls>(),

  /** By name; `after` is the `next` of the previous page, null at the end. */
  'domains.list': read<{ domains: DomainReport[]; next: string | null }>(),
  /** A summary of all projects' domains, by name; paged like keys.list. */
  'domains.summary': read<{ domains: DomainSummary[]; next: string | null }>(),
  'domains.show': read<DomainReport>(),
  /**
   * Looks at a domain first: for the records that it waits for, at its zone's own servers, which changes nothing; and at a
   * ready or live one as the sweeps do, if nobody has for over an hour.
   */
  'domains.look': read<DomainReport>(),
  /** What DNS has for a name the project may add, and what will be needed. */
  'domains.check': read<FirstLook>(),
  /** The link to the page for the owner of the domain, the same all day. The first one gives the claim a secret. */
  'domains.link': read<OwnerLink>(),
  /** Ends all links to the page for the owner of the domain. */
  'domains.unlink': change<DomainReport>(),
  'domains.add': change<AddedDomain>(),
  'domains.verify': change<DomainReport>(),
  'domains.remove': change<DomainReport>(),
  /** Gives the domain to another project of the environment, with its apex or www unless it should move alone. */
  'domains.move': change<AddedDomain>(),
  'domains.primary': change<DomainReport>(),
  'domains.redirect': change<DomainReport>(),
  'domains.unredirect': change<DomainReport>(),

  /** What only the operator function knows about its environment. */
  'environment.inspect': read<EnvironmentState>(),

  /** The latest changes, newest first. */
  'audit.list': read<{ entries: AuditEntry[] }>(),
};

/** `types` exists for the compiler only. */
interface Declared<Kind, Result> {
  readonly kind: Kind;
  readonly types?: { readonly result: Result };
}

/** A command that only reads. */
function read<Result>(): Declared<'read', Result> {
  return { kind: 'read' };
}

/** A command that changes something. Each change is recorded in the audit log. */
function change<Result>(): Declared<'change', Result> {
  return { kind: 'change' };
}

/** A change whose result contains a secret, which is recorded nowhere. */
function secretChange<Result>(): Declared<'change', Result> & { readonly givesSecret: true } {
  return { kind: 'change', givesSecret: true };
}

type Contract = typeof COMMANDS;
export type CommandName = keyof Contract;
export type ResultOf<Name extends CommandName> = NonNullable<Contract[Name]['types']>['result'];

/** The names of the commands of a group, such as `keys`. */
export type CommandsOf<Group extends string> = Extract<CommandName, `${Group}.${string}`>;

type NamesOf<Kind> = {
  [Name in CommandName]: Contract[Name]['kind'] extends Kind ? Name : never;
}[CommandName];
export type ReadName = NamesOf<'read'>;
export type ChangeName = NamesOf<'change'>;

/** The response of the operator function to every request, with the version that sent it. */
export type Reply<Result = unknown> = { readonly version?: string } & (
  | {
      readonly ok: true;
      readonly result: Result;
      /** The caller has the result already, as its field `known` says (revision.ts); here it's null. */
      readonly isUnchanged?: true;
      /** The request was carried out before; this is the result recorded then. */
      readonly replayed?: true;
      /** Other things the request affects and that couldn't be done, one sentence each. */
      readonly warnings?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: CommandErrorCode;
        readonly reason?: Reason;
        readonly message: string;
      };
    }
);

/** What a list shows of a domain. Its records are reduced to whether somebody has to act. */
export type DomainSummary = Pick<
  DomainReport,
  | 'project'
  | 'domain'
  | 'unicode'
  | 'status'
  | 'reason'
  | 'role'
  | 'primary'
  | 'redirect'
  | 'switchLater'
  | 'checkedAt'
  | 'nextCheckAt'
  | 'dueAt'
> & {
  readonly certificate: Pick<DomainReport['certificate'], 'status'> &
    Partial<Pick<DomainReport['certificate'], 'expiresAt'>>;
  readonly records: readonly Pick<DomainRecord, 'purpose' | 'state' | 'action' | 'todo'>[];
  /** The heading of what is wrong, and the deadlines; absent from summaries of earlier versions. */
  readonly title?: string | undefined;
  readonly deadlines?: Pick<DomainReport['deadlines'], 'switch' | 'claim' | 'takeover'>;
};

/** A link to the page for the owner of a domain. Whoever has it sees what the domain needs, and may ask for a look. */
export interface OwnerLink {
  readonly url: string;
  /** When it stops working, if it isn't ended before. */
  readonly until: string;
  /** Whether the host of the page is set up, which takes minutes after the first deploy with a platform domain. */
  readonly isServed: boolean;
}

/** A domain that was added or moved, and the one that was with it. */
export type AddedDomain = DomainReport & { sibling?: DomainReport };

/**
 * A newly created key. The key itself is stored nowhere: a replayed response has it only if the request has the seed it was
 * derived from. The note says when it starts to work.
 */
export type NewApiKey = ApiKey & { key?: string; note?: string };

/** The new key, and how long the old one still works. */
type RotatedApiKey = NewApiKey & { replaces: { id: string; expiresAt: string } };

/** An order with its ids as JSON numbers: ids that this service assigns stay below 2^53. */
export type OrderView = Omit<Order, 'id' | 'petId'> & { id: number; petId: number };

/** What only the operator function knows about its environment. */
export interface EnvironmentState {
  /** The version of the sources that the function was built from. */
  readonly version: string;
  readonly platformDomain: string | null;
  /** Whether the platform domain is delegated to the environment's zone; null without a platform domain. */
  readonly delegation:
    | { readonly isInPlace: true }
    | { readonly isInPlace: false; readonly observed: readonly string[]; readonly remedy: string }
    | null;
  /** The tables the function uses, which may be restored ones beside the stack's. */
  readonly tables: readonly string[];
  /** Where API Gateway differs from the records of the API keys. */
  readonly keys: KeyDifferences;
  /** The claims that have a record. Certificates and domain names are tagged with their claim. */
  readonly claims: readonly string[];
}

/** A record a domain needs, and what was seen of it. Names and values have no trailing dot. */
export type DomainRecord = DomainReport['records'][number];

/** The kind of an error. */
export type CommandErrorCode =
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unavailable'
  | 'internal_error';

/**
 * Why a command was refused, for programs; the message says the same to people. A failure (code `unavailable` or
 * `internal_error`) has no reason.
 */
export type Reason =
  /** A field is missing, unknown or malformed. */
  | 'input_invalid'
  /** The id of the command's subject is missing or malformed. */
  | 'id_invalid'
  /** The operator function has no command of this name. */
  | 'command_unknown'
  /** The function of `petstore doctor` and `petstore smoke` doesn't run this command, or not with this input. */
  | 'not_a_check'
  /** The requestId was used before, for another request. */
  | 'request_id_reused'
  /** Others kept changing the same thing. Repeating the command may succeed. */
  | 'changed_meanwhile'
  | 'key_unknown'
  /** The API key is valid: revoke it first. */
  | 'key_valid'
  /** The API key is revoked or has expired. */
  | 'key_not_valid'
  /** The account has as many API Gateway keys as its quota allows. */
  | 'key_quota_reached'
  | 'order_unknown'
  /** The order's status doesn't allow the step. */
  | 'order_status'
  | 'pet_unknown'
  /** The pet's status doesn't allow the step. */
  | 'pet_status'
  | 'project_unknown'
  | 'project_exists'
  /** API Gateway has no such API or stage in the account and region. */
  | 'api_unknown'
  /** The project's plan has no custom domains. */
  | 'plan_required'
  /** The plan cannot be lowered to free while the project has domains. */
  | 'project_has_domains'
  /** The project is published at another API, whose default endpoint this service doesn't close. */
  | 'endpoint_not_own'
  /** The project has never been deployed successfully. */
  | 'deploy_required'
  /** The environment has no platform domain for custom domains to point into. */
  | 'platform_domain_required'
  /** The platform domain isn't delegated to the environment's zone. */
  | 'platform_domain_not_delegated'
  | 'domain_unknown'
  /** The text isn't a valid name of a custom domain. */
  | 'domain_invalid'
  /** Another project has proven the name. */
  | 'domain_taken'
  /** The project has reached its limit of domains that aren't verified. */
  | 'too_many_unverified_domains'
  /** The name exists at API Gateway, created by another environment or team of the account. */
  | 'domain_name_foreign'
  | 'removal_in_progress'
  /** The domain is being verified: move it once that's done. */
  | 'verification_in_progress'
  /** The project that the domain is moved to has claimed the name itself. */
  | 'domain_exists'
  | RoutingRefusal;

/**
 * Identifies a request across all attempts: a UUID and, if the result has a secret, a dot and the secret's seed. The function
 * carries the request out once. It derives the secret from the seed and stores neither, so if the response was lost, only whoever
 * sent the seed gets the secret again.
 */
export function newRequestId(command: ChangeName): string {
  const id = crypto.randomUUID();
  return 'givesSecret' in COMMANDS[command] ? `${id}.${newSeed()}` : id;
}

/** 192 bits: more than an API key has. */
const SEED_BYTES = 24;

const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-f]{48}))?$/;

function newSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The parts of a request id; undefined for any other text. */
export function readRequestId(text: string): { requestId: string; seed: string | undefined } | undefined {
  const [, requestId, seed] = FORM.exec(text) ?? [];
  return requestId === undefined ? undefined : { requestId, seed };
}
