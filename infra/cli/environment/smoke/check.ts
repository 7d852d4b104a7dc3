import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { Session } from '../../framework/session.ts';
import type { Send } from './smoke-client.ts';

/** The API keys of one run. Each is refused where the other is accepted. */
export interface SmokeKeys {
  /** Has the scopes of animals. `send` uses it unless another is given. */
  readonly pets: string;
  /** Has the scope of orders. */
  readonly orders: string;
}

/** What a check works with. */
export interface SmokeEnvironment {
  readonly send: Send;
  readonly keys: SmokeKeys;
  readonly session: Session;
  /** The REST API of the environment. */
  readonly apiId: string;
  /** The origins whose pages may call the environment, by the settings of this checkout. */
  readonly browserOrigins: BrowserOrigins;
}

/** One thing that must hold after a deploy. It throws Broken if it does not, and Skipped where it does not apply. */
export interface Check {
  readonly name: string;
  /** It creates animals: it is left out in production. */
  readonly writes?: true;
  run(environment: SmokeEnvironment): Promise<void>;
}
