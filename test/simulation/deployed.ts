/** What the stacks of the cloud assembly declare, as it is deployed. */
import {
  declaredRoles,
  declaredStateMachines,
  functionArn,
  GrantLedgerFile,
  type Principal,
  type Resource,
  type RoleCall,
} from '../../infra/local/simulation.ts';
import { readResources, resourceNamed } from '../../infra/local/template.ts';
import { required } from '../../shared/environment.ts';

/** The environments of the account, each with tables, a platform zone and state machines of its own. */
export const ENVIRONMENTS = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** A function, as its stack declares it. */
export interface DeployedFunction {
  readonly arn: string;
  readonly timeoutMs: number;
  /** Its role. */
  readonly principal: Principal;
  readonly variables: (name: string) => string | undefined;
}

/** A table, with the names of its key attributes: the partition key and, where there is one, the sort key. */
interface DeployedTable {
  readonly name: string;
  readonly keys: readonly string[];
}

interface FunctionProperties {
  readonly Timeout: number | string;
  readonly Role: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

interface TableProperties {
  readonly KeySchema: readonly { readonly AttributeName: string }[];
}

const { PETSTORE_GRANT_LEDGER: ledgerFile } = process.env;
const ledger = ledgerFile === undefined ? undefined : new GrantLedgerFile(ledgerFile);
/** The grants that the simulation uses. What is denied the world judges itself. */
const grantLedger = ledger && {
  record(call: RoleCall) {
    if (call.grant !== undefined) ledger.record(call);
  },
};

function deployed(stack: string) {
  const resources = readResources(required('SIMULATION_ASSEMBLY'), stack);
  const roles = declaredRoles(resources, grantLedger);
  const named = (type: string, prefix: string): Resource => resourceNamed(resources, type, prefix);
  const fn = (construct: string): DeployedFunction => {
    const { physicalId, properties } = named('AWS::Lambda::Function', `${construct}Function`);
    const { Timeout, Role, Environment } = properties as unknown as FunctionProperties;
    const role = roles.get(Role);
    if (!role) throw new Error(`${stack} has no role of ${construct}.`);
    // Lambda sets the region.
    const values = new Map(Object.entries({ AWS_REGION: 'us-east-1', ...Environment.Variables }));
    return {
      arn: functionArn(physicalId),
      timeoutMs: Number(Timeout) * 1000,
      principal: role.assumedBy(physicalId),
      variables: name => values.get(name),
    };
  };
  const table = (construct: string): DeployedTable => {
    const { physicalId, properties } = named('AWS::DynamoDB::Table', construct);
    const { KeySchema } = properties as unknown as TableProperties;
    return { name: physicalId, keys: KeySchema.map(({ AttributeName }) => AttributeName) };
  };
  const zone = named('AWS::Route53::HostedZone', 'DomainsZone');
  const operator = fn('OperatorOperate');
  const value = (name: string) => required(name, operator.variables);
  return {
    worker: fn('DomainFlowTendDomain'),
    operator,
    /** The function behind the page for owners. */
    asking: fn('SetupAskForLook'),
    /** The functions that run on a schedule. */
    scheduled: {
      ReconcileDomains: fn('DomainChecksReconcileDomains'),
      ReconcileEndpoint: fn('ProjectsReconcileEndpoint'),
      PublishEvents: fn('DomainEventsPublishEvents'),
    },
    tables: {
      domains: table('DomainsTable'),
      projects: table('ProjectsTable'),
      audit: table('OperatorAudit'),
    },
    platformZone: { id: zone.physicalId, name: String(zone.properties.Name).replace(/\.$/, '') },
    /** Where the service itself is published, and the API that serves domains that redirect. */
    published: { apiId: value('REST_API_ID'), stage: value('STAGE_NAME') },
    redirects: { apiId: value('REDIRECT_API_ID'), stage: value('REDIRECT_STAGE') },
    /** The ARN of the state machine that tends a domain. */
    tendMachine: named('AWS::StepFunctions::StateMachine', 'DomainFlowTend').physicalId,
    stateMachines: declaredStateMachines(resources, roles),
  };
}

export const DEPLOYED = {
  staging: deployed('Petstore-Staging'),
  production: deployed('Petstore-Production'),
};
