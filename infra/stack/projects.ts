import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { RECONCILE_MINUTES } from '../../shared/domains/life/due.ts';
import { PROJECTS_TABLE } from '../../shared/projects/project.ts';
import { DEPLOYED_STACK_STATUSES, SERVICE_PROJECT_ID } from '../../shared/projects/project-choices.ts';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** The projects: their table, in which the service itself is the project SERVICE_PROJECT_ID. */
export class Projects extends Construct {
  readonly table: ServiceTable;
  /** Every few minutes and after a deploy: the default endpoint and the default URLs. */
  readonly reconcileEndpoint: ServiceFunction;

  constructor(scope: Construct, id: string, environment: Environment, publicApi: PublicApi) {
    super(scope, id);
    const { api } = publicApi;
    const { stackId } = Stack.of(this);
    this.table = new ServiceTable(this, 'Table', environment, {
      name: 'projects',
      partitionKey: { name: PROJECTS_TABLE.partitionKey, type: AttributeType.STRING },
    });
    const recordDeploy = new ServiceFunction(this, 'RecordDeploy', 'projects/record-deploy', { environment })
      .grantTable(this.table, 'PROJECTS_TABLE', ['UpdateItem'])
      .withVariable('PROJECT_ID', SERVICE_PROJECT_ID)
      .withVariable('REST_API_ID', api.restApiId)
      .withVariable('STAGE_NAME', environment.stage);

    const reconcileEndpoint = new ServiceFunction(this, 'ReconcileEndpoint', 'projects/reconcile-endpoint', {
      environment,
      // It may wait for slots at API Gateway: see RUN_MS of shared/domains/default-urls.ts.
      timeout: Duration.minutes(4),
    })
      .grantTable(this.table, 'PROJECTS_TABLE', ['Scan', 'UpdateItem'])
      .withVariable('REST_API_ID', api.restApiId)
      .withVariable('STAGE_NAME', environment.stage)
      .withVariable('STACK_ID', stackId)
      .allow('cloudformation:DescribeStacks', stackId);
    publicApi.grantEndpoint(reconcileEndpoint);
    this.reconcileEndpoint = reconcileEndpoint;

    // CloudFormation sends the event when the whole deploy is done, so the function records deploys that succeeded.
    new Rule(this, 'Deployed', {
      description: 'This stack was deployed.',
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [stackId],
          'status-details': { status: DEPLOYED_STACK_STATUSES },
        },
      },
      targets: [new LambdaFunction(recordDeploy.lambda), new LambdaFunction(reconcileEndpoint.lambda)],
    });
    const description = 'The default endpoint and default URLs are reconciled.';
    reconcileEndpoint.runEvery(Duration.minutes(RECONCILE_MINUTES), this, 'EveryFewMinutes', description);
  }
}
