import type { DnsProvider } from './dns-provider.ts';
import type { EnvironmentOperator } from './environment-operator.ts';
import type { EnvironmentView } from './environment-view.ts';

/** An environment that the server can operate. */
export interface DashboardEnvironment extends EnvironmentView {
  readonly operator: EnvironmentOperator;
  /** Plays the DNS provider of custom domains; only on one machine. */
  readonly dnsProvider?: DnsProvider | undefined;
}
