import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ApiKeys } from '../api-keys.ts';
import type { Environment } from '../environments.ts';
import type { Projects } from '../projects.ts';
import type { PublicApi } from '../public-api.ts';
import { ServiceFunction } from '../service-function.ts';

export interface CanaryParts {
  readonly apiKeys: ApiKeys;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
}

/** Lists pets every few minutes as a client does, from its own API key to the table, and fails when that fails. */
export class Canary extends Construct {
  readonly callApi: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { apiKeys, projects, publicApi }: CanaryParts,
  ) {
    super(scope, id);
    const secret = new Secret(this, 'Secret', {
      description: 'The API key of the canary is derived from it.',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Its key reads pets and nothing else; the runbook says how to rotate it by hand.',
    });
    const callApi = new ServiceFunction(this, 'CallApi', 'canary/call-api', {
      environment,
      // The request takes at most 10 s; the first run creates the key, with retries of 15 s.
      timeout: Duration.seconds(55),
    })
      .grantTable(apiKeys.table, 'API_KEYS_TABLE', ['GetItem', 'PutItem'])
      .grantTable(projects.table, 'PROJECTS_TABLE', ['Scan'])
      .withVariable('API_KEY_PREFIX', environment.apiKeyPrefix)
      .withVariable('REST_API_ID', publicApi.api.restApiId)
      .withVariable('STAGE_NAME', environment.stage)
      .withVariable('BASE_URL', `${publicApi.api.url}v1`)
      // Not its value: whoever may read the configuration of functions could derive the key.
      .withVariable('CANARY_SECRET_ARN', secret.secretArn)
      .allow('secretsmanager:GetSecretValue', secret.secretArn);
    apiKeys.grantKeyCreation(callApi);
    publicApi.grantPlanMembership(callApi);
    callApi.runEvery(Duration.minutes(5), this, 'EveryFewMinutes', 'The canary calls the API.');
    this.callApi = callApi;
  }
}
