import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceApi } from './service-api.ts';
import { ServiceFunction } from './service-function.ts';

/** What the redirects are looked up in, and the API that goes before. */
export interface RedirectsParts {
  readonly domains: Domains;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
}

/** What answers for domains that redirect: they are mapped to this API instead of their project's. */
export class Redirects extends Construct {
  readonly api: RestApi;
  readonly stageName: string;

  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { domains, projects, publicApi }: RedirectsParts,
  ) {
    super(scope, id);
    const redirect = new ServiceFunction(this, 'Redirect', 'domains/redirect', { environment })
      .grantTable(domains.table, 'DOMAINS_TABLE', ['GetItem'])
      .grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem']);
    // On one machine all APIs share a port and their stages tell them apart.
    this.stageName = `${environment.stage}-redirects`;
    this.api = new ServiceApi(this, 'Api', environment, {
      restApiName: `petstore-${environment.stage}-redirects`,
      stageName: this.stageName,
      defaultIntegration: new LambdaIntegration(redirect.lambda),
      defaultMethodOptions: { authorizationType: AuthorizationType.NONE },
      cloudWatchRole: false,
    });
    this.api.root.addMethod('ANY');
    this.api.root.addProxy();
    // The role by which API Gateway writes logs is the account's. The public API sets it, and its stage waits for that.
    this.api.deploymentStage.node.addDependency(publicApi.api.deploymentStage);
    this.#acknowledge();
  }

  #acknowledge(): void {
    const reason = 'A redirect is for everybody who follows an old address, and nothing else is behind it.';
    Validations.of(this.api).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Any request is redirected; there is none to refuse.' },
      { id: 'AwsSolutions-APIG3', reason: 'It is throttled; a web ACL is the account owner’s choice.' },
      { id: 'AwsSolutions-APIG4', reason },
      { id: 'AwsSolutions-COG4', reason },
    );
  }
}
