import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { ApiKeys } from './api-keys.ts';
import { Docs } from './docs.ts';
import type { Environment } from './environments.ts';
import { Monitoring } from './monitoring.ts';
import { Operator } from './operator.ts';
import { Pets } from './pets.ts';
import { PublicApi } from './public-api.ts';

/** The whole service, deployed once per environment. The environments share nothing. */
export class PetstoreStack extends Stack {
  constructor(scope: Construct, environment: Environment) {
    super(scope, environment.stackName, { description: `Petstore service, ${environment.stage}` });
    const apiKeys = new ApiKeys(this, 'ApiKeys', environment);
    const api = new PublicApi(this, 'PublicApi', environment, apiKeys.authorize);
    new Pets(this, 'Pets', environment, api);
    new Docs(this, 'Docs', environment, api);
    new Monitoring(this, 'Monitoring', environment, api);
    new Operator(this, 'Operator', environment, apiKeys, api);
  }
}
