import type { Random } from '../../infra/local/virtual/random.ts';
import type { KeyLedger, OrderLedger } from './ledger/operator-ledgers.ts';
import type { PetLedger } from './ledger/pet-ledger.ts';
import type { Stage } from './processes.ts';
import type { OperatorClient } from './workloads/operator-client.ts';
import type { SoakContext } from './world.ts';

/** What the workloads and checks of one environment have in common. */
export interface StageContext extends SoakContext {
  readonly stage: Stage;
  /** The URL of its API. */
  readonly url: string;
  /** The key that `npm start` has created. */
  readonly apiKey: string;
  readonly operator: OperatorClient;
  readonly pets: PetLedger;
  readonly orders: OrderLedger;
  readonly keys: KeyLedger;
  /** A stream of random numbers of this run and environment. */
  random(stream: number): Random;
}
