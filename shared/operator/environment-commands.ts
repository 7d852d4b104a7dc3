import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import { keyDifferences } from '../api-keys/key-reconciliation.ts';
import type { GatewayKeys, UsagePlan } from '../api-keys/usage-plan.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { OperatorParts } from '../domains/composition.ts';
import { currentDelegation } from '../domains/dns/platform-delegation.ts';
import { claimOf, DEFAULT_CLAIM } from '../domains/life/domain.ts';
import type { CommandTable } from './command.ts';
import type { EnvironmentState } from './contract.ts';
import { delegationRemedy } from './lookup.ts';

type DomainParts = Pick<
  OperatorParts,
  'platformDomain' | 'zone' | 'resolvers' | 'answeringZones' | 'projects' | 'domains'
>;

interface EnvironmentParts {
  readonly apiKeys: ApiKeyStore;
  readonly gatewayKeys: GatewayKeys;
  readonly plan: UsagePlan;
  readonly version: string;
  readonly tables: readonly string[];
}

/** What operators ask about the environment as a whole. */
export function environmentCommands(
  domainParts: DomainParts,
  parts: EnvironmentParts,
): CommandTable<'environment'> {
  const delegation = async (): Promise<EnvironmentState['delegation']> => {
    const { platformDomain } = domainParts;
    if (platformDomain === undefined) return null;
    const found = await currentDelegation(domainParts).catch(asMissingZone);
    if (found === undefined) {
      const remedy =
        'Its hosted zone was deleted outside CloudFormation. Remove platformDomain from the settings and deploy, then set it again and deploy; the new zone has different name servers.';
      return { isInPlace: false, observed: ['no zone of this environment'], remedy };
    }
    if (found.isInPlace) return found;
    const { observed, nameServers } = found;
    return { isInPlace: false, observed, remedy: delegationRemedy(platformDomain, nameServers) };
  };

  const claims = async (): Promise<string[]> => {
    const found: string[] = domainParts.platformDomain === undefined ? [] : [DEFAULT_CLAIM];
    for (const { id } of await domainParts.projects.list()) {
      found.push(...(await domainParts.domains.listOf(id)).map(claimOf));
    }
    return found;
  };

  return {
    'environment.inspect': {
      run: async () => ({
        version: parts.version,
        platformDomain: domainParts.platformDomain ?? null,
        delegation: await delegation(),
        tables: parts.tables,
        keys: await keyDifferences(parts),
        claims: await claims(),
      }),
    },
  };
}

/** The zone of the platform domain does not exist. */
function asMissingZone(error: unknown): undefined {
  if ((error as Error).name !== 'NoSuchHostedZone') throw error;
  return undefined;
}

/** What operators ask the audit log. */
export function auditCommands(audit: AuditLog): CommandTable<'audit'> {
  return {
    'audit.list': {
      run: async ({ limit, ...options }) => ({ entries: await audit.list(limit, options) }),
    },
  };
}
