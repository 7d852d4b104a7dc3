import type { ApiKey } from '../api-keys/api-key-record.ts';
import type { ReconciledKeys, RemovedKeys } from '../api-keys/key-reconciliation.ts';
import type { Scope } from '../api-keys/scopes.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { DomainReport } from '../domains/report/report.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import type { DeployState, EndpointWhileLive, Plan, Project } from '../projects/project.ts';
import type { RedirectStatus } from '../projects/routing.ts';
import type { EnvironmentState } from './environment-state.ts';
import type { ProjectView } from './project-view.ts';
import type { CommandErrorCode, Reason } from './reason.ts';

export type {
  ApiKey,
  AuditEntry,
  CommandErrorCode,
  DeployState,
  DomainReport,
  EndpointWhileLive,
  EnvironmentState,
  OrderStatus,
  Plan,
  Project,
  ProjectView,
  Reason,
  RedirectStatus,
  Scope,
};

/**
 * The contract between the operator function and the petstore command: the input and the result of every command. The
 * compiler checks the tables of commands (CommandTable) and the requests of the petstore command against it.
 */
interface Contract extends Reads, Changes {}

export type CommandName = keyof Contract;
export type InputOf<Name extends CommandName> = Contract[Name]['input'];
export type ResultOf<Name extends CommandName> = Contract[Name]['result'];

/** The commands that only read. A field with `?` may be left out; the schema of the command has its default. */
export interface Reads {
  'keys.list': { input: NoFields; result: { keys: ApiKey[] } };
  /** The newest orders first; `before` is the last order of the page before. */
  'orders.list': {
    input: { status?: OrderStatus | undefined; before?: number | undefined; limit?: number | undefined };
    result: { orders: OrderView[]; hasMore: boolean };
  };
  'projects.list': { input: NoFields; result: { projects: ProjectView[] } };
  'projects.show': { input: { id: string }; result: ProjectView };
  'domains.list': { input: { project?: string | undefined }; result: { domains: DomainReport[] } };
  'domains.show': { input: DomainOfProject; result: DomainReport };
  /** What the operator function alone knows of its environment. */
  'environment.inspect': { input: NoFields; result: EnvironmentState };
  /** The latest changes, the newest first. */
  'audit.list': { input: { limit?: number | undefined }; result: { entries: AuditEntry[] } };
}

/** The commands that change something. Each change is recorded in the audit log. */
export interface Changes {
  'keys.create': {
    input: { name: string; expiresAt?: string | undefined; scopes?: Scope[] | undefined };
    result: NewApiKey;
  };
  'keys.revoke': { input: { id: string }; result: ApiKey };
  'keys.rotate': { input: { id: string; overlapHours: number }; result: RotatedApiKey };
  /** Makes API Gateway agree with the records of the keys. `remaining` changes are left for another request. */
  'keys.reconcile': { input: NoFields; result: ReconciledKeys };
  /** Removes all keys of the environment from API Gateway, before the stack is deleted. Their records stay. */
  'keys.withdraw': { input: NoFields; result: RemovedKeys };

  'orders.place': { input: { petId: number }; result: OrderView };
  'orders.approve': { input: { id: number }; result: OrderView };
  'orders.deliver': { input: { id: number }; result: OrderView };
  'orders.cancel': { input: { id: number }; result: OrderView };

  'projects.create': {
    input: {
      id: string;
      plan?: Plan | undefined;
      apiId?: string | undefined;
      stage?: string | undefined;
    };
    result: ProjectView;
  };
  'projects.plan': { input: { id: string; plan: Plan }; result: ProjectView };
  'projects.deployed': { input: { id: string; state?: DeployState | undefined }; result: ProjectView };

  /** Whether the default endpoint answers while the primary domain of the project is live. */
  'projects.endpoint': { input: { id: string; whileLive: EndpointWhileLive }; result: ProjectView };

  'domains.add': { input: DomainOfProject; result: DomainReport };
  'domains.verify': { input: DomainOfProject; result: DomainReport };
  'domains.remove': { input: DomainOfProject; result: DomainReport };
  'domains.primary': { input: DomainOfProject; result: DomainReport };
  'domains.redirect': {
    input: DomainOfProject & { to: string; status?: RedirectStatus | undefined };
    result: DomainReport;
  };
  'domains.unredirect': { input: DomainOfProject; result: DomainReport };
}

/** What the operator function answers to every request. */
export type Reply<Result = unknown> =
  | {
      readonly ok: true;
      readonly result: Result;
      /** The request was carried out before, and this is the result that was recorded then. */
      readonly replayed?: true;
      /** What was done for the request, but not for something else that it concerns. */
      readonly warnings?: readonly string[];
    }
  | {
      readonly ok: false;
      readonly error: {
        readonly code: CommandErrorCode;
        readonly reason?: Reason;
        readonly message: string;
      };
    };

type NoFields = Record<string, never>;

interface DomainOfProject {
  project?: string | undefined;
  domain: string;
}

/**
 * A key that was just created. The key itself is absent from a replayed answer, because it is stored nowhere; the note
 * says from when on it works.
 */
export type NewApiKey = ApiKey & { key?: string; note?: string };

/** The new key, and until when the old one still works. */
type RotatedApiKey = NewApiKey & { replaces: { id: string; expiresAt: string } };

/** An order with its ids as JSON numbers: ids that this service assigns stay below 2^53. */
export type OrderView = Omit<Order, 'id' | 'petId'> & { id: number; petId: number };

/** A record that a domain needs, and what was seen of it. Names and values have no dot at their end. */
export type DomainRecord = DomainReport['records'][number];
