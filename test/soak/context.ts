import type { DomainLedger } from './ledger/domain-ledger.ts';
import type { KeyLedger } from './ledger/key-ledger.ts';
import type { OrderLedger } from './ledger/order-ledger.ts';
import type { PetLedger } from './ledger/pet-ledger.ts';
import type { SecretSearch } from './ledger/secret-search.ts';
import type { Violations } from './ledger/violations.ts';
import type { Latencies } from './report/latencies.ts';
import type { Tally } from './report/tally.ts';
import type { ServiceProcess, Stage } from './service-process.ts';

/** What the workloads of a run have in common. */
export interface SoakContext {
  /** Milliseconds since the start of the run. */
  now(): number;
  /** Whether the time of the run is over: what was begun is finished, nothing new is begun. */
  isOver(): boolean;
  readonly seed: number;
  readonly service: ServiceProcess;
  readonly violations: Violations;
  readonly secrets: SecretSearch;
  readonly tally: Tally;
  readonly latencies: Latencies;
  readonly pets: Readonly<Record<Stage, PetLedger>>;
  readonly orders: Readonly<Record<Stage, OrderLedger>>;
  readonly keys: Readonly<Record<Stage, KeyLedger>>;
  readonly domains: DomainLedger;
  /** The requests that were answered with 500, by their X-Request-Id. */
  readonly serverErrors: Map<string, string>;
}
