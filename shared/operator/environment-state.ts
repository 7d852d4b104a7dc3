import type { KeyDifferences } from '../api-keys/key-reconciliation.ts';

/** What the operator function alone knows of its environment. */
export interface EnvironmentState {
  /** The version of the sources that the function was built from. */
  readonly version: string;
  readonly platformDomain: string | null;
  /** Whether the platform domain leads to the environment's zone; null without a platform domain. */
  readonly delegation:
    | { readonly isInPlace: true }
    | { readonly isInPlace: false; readonly observed: readonly string[]; readonly remedy: string }
    | null;
  /** The names of the tables that the function uses, which may have been restored beside those of the stack. */
  readonly tables: readonly string[];
  /** Where API Gateway differs from the records of the API keys. */
  readonly keys: KeyDifferences;
  /** The claims that have a record. Certificates and domain names are tagged with their claim. */
  readonly claims: readonly string[];
}
