import { CfnOutput, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { AUDIT_TABLE } from '../../shared/audit/audit-table.ts';
import { ORDERS_TABLE } from '../../shared/orders/order.ts';
import { checksFunctionOf, operatorFunctionOf } from '../settings/environment-name.ts';
import { sourceVersion } from '../tools/build-cache.ts';
import type { ApiKeys } from './api-keys.ts';
import { type DomainFlow, STEP_TIMEOUT } from './domain-flow.ts';
import type { Environment } from './environments.ts';
import type { Orders } from './orders.ts';
import type { Pets } from './pets.ts';
import type { Projects } from './projects.ts';
import type { PublicApi } from './public-api.ts';
import { gatewayArn } from './service-api.ts';
import { acknowledgeWildcard, ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

interface OperatorParts {
  readonly apiKeys: ApiKeys;
  readonly domainFlow: DomainFlow;
  readonly orders: Orders;
  readonly pets: Pets;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
}

/** The functions that operators and checks invoke, and the log of what they changed. */
export class Operator extends Construct {
  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { apiKeys, domainFlow, orders, pets, projects, publicApi }: OperatorParts,
  ) {
    super(scope, id);
    const { api } = publicApi;
    const { timeIndex } = AUDIT_TABLE;
    const audit = new ServiceTable(this, 'Audit', environment, {
      name: 'audit',
      partitionKey: { name: AUDIT_TABLE.partitionKey, type: AttributeType.STRING },
    });
    audit.addGlobalSecondaryIndex({
      indexName: timeIndex.name,
      partitionKey: { name: timeIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: timeIndex.sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });

    /** A function with the grants that checks need; operators need more. */
    const commandFunction = (name: string, path: string, functionName: string) => {
      const fn = new ServiceFunction(this, name, path, { environment, functionName, timeout: STEP_TIMEOUT })
        .grantTable(apiKeys.table, 'API_KEYS_TABLE', [
          'GetItem',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'Scan',
        ])
        .grantTable(projects.table, 'PROJECTS_TABLE', [
          'GetItem',
          'PutItem',
          'UpdateItem',
          'Scan',
          'ConditionCheckItem',
        ])
        .grantTable(audit, 'AUDIT_TABLE', ['GetItem', 'PutItem'])
        .grantTable(pets.idempotencyKeys, 'IDEMPOTENCY_KEYS_TABLE', ['PutItem'])
        .withVariable('ORDERS_TABLE', orders.table.tableName)
        .withVariable('PETS_TABLE', pets.table.tableName)
        .withVariable('API_KEY_PREFIX', environment.apiKeyPrefix)
        .withVariable('REST_API_ID', api.restApiId)
        .withVariable('STAGE_NAME', environment.stage)
        .withVariable('URL_SUFFIX', Stack.of(this).urlSuffix)
        .withVariable('SOURCE_VERSION', sourceVersion())
        .allow(
          'apigateway:DELETE',
          gatewayArn(this, `/restapis/${api.restApiId}/stages/${environment.stage}/cache/authorizers`),
        );
      apiKeys.grantKeyCreation(fn);
      apiKeys.grantKeyRemoval(fn);
      publicApi.grantPlanMembership(fn);
      domainFlow.grantOperation(fn);
      return fn;
    };

    commandFunction('Check', 'operator/check', checksFunctionOf(environment.stage));
    const operate = commandFunction('Operate', 'operator/operate', operatorFunctionOf(environment.stage))
      .grantTable(
        orders.table,
        'ORDERS_TABLE',
        ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
        [ORDERS_TABLE.statusIndex.name],
      )
      .grantTable(pets.table, 'PETS_TABLE', ['UpdateItem'])
      .allow('dynamodb:Query', `${audit.tableArn}/index/${timeIndex.name}`);
    // A project may be published at any API of the account, but it must exist.
    operate.allow('apigateway:GET', gatewayArn(this, '/restapis/*/stages/*'));
    acknowledgeWildcard(
      operate,
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/restapis/*/stages/*',
      'Projects are published at APIs of other teams, which are named when the project is created.',
    );
    domainFlow.grantUrlRemoval(operate);
    publicApi.grantEndpoint(operate);
    new CfnOutput(this, 'OperatorFunction', {
      value: operate.lambda.functionName,
      description: 'Function that operators invoke.',
    }).overrideLogicalId('OperatorFunction');
  }
}
