import { Validations } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { PROOF_ROUTE } from '../../shared/domains/arrival-proof.ts';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceApi, withResponseHeaders } from './service-api.ts';
import { ServiceFunction } from './service-function.ts';
import { ThrottledMethods } from './throttles.ts';
import { respondToPreflight } from './unrouted-requests.ts';

/** The tables that redirects are looked up in, and the API that must be deployed first. */
interface RedirectsParts {
  readonly domains: Domains;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
}

/** Domain checks ask for it only if a proxy responds. */
const PROOF_THROTTLE = { ratePerSecond: 10, burst: 20 };

/** The API of redirecting domains: they are mapped to it instead of to their project's API. */
export class Redirects extends Construct {
  readonly api: RestApi;
  readonly stageName: string;
  readonly throttledMethods = new ThrottledMethods();

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
    domains.withPlatformDomain(redirect);
    withResponseHeaders(redirect, environment);
    publicApi.withProofSecret(redirect);
    const reason = 'It shows that requests to a custom domain arrive, and has no data.';
    publicApi.openRoute(PROOF_ROUTE, redirect, reason, PROOF_THROTTLE);
    // The local AWS serves all APIs on one port and tells them apart by stage.
    this.stageName = `${environment.stage}-redirects`;
    this.api = new ServiceApi(this, 'Api', environment, {
      restApiName: `petstore-${environment.stage}-redirects`,
      stageName: this.stageName,
      // Only custom domains lead to it.
      disableExecuteApiEndpoint: true,
      defaultIntegration: new LambdaIntegration(redirect.lambda, { allowTestInvoke: false }),
      defaultMethodOptions: { authorizationType: AuthorizationType.NONE },
      cloudWatchRole: false,
    });
    for (const resource of [this.api.root, this.api.root.addResource('{proxy+}')]) {
      resource.addMethod('ANY');
      for (const method of ['GET', 'HEAD', 'POST']) this.throttledMethods.add(resource.path, method);
      this.throttledMethods.add(resource.path, 'OPTIONS', 'main');
      // Browsers refuse a preflight that is redirected.
      respondToPreflight(resource, environment);
    }
    // API Gateway's role for writing logs belongs to the account. If this stack sets it, it does so before the public API's
    // stage is deployed.
    this.api.deploymentStage.node.addDependency(publicApi.api.deploymentStage);
    this.#acknowledge();
  }

  #acknowledge(): void {
    const reason = 'A redirect is for everybody who follows an old URL, and the function does nothing else.';
    Validations.of(this.api).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Every request is redirected; there is nothing to validate.' },
      { id: 'AwsSolutions-APIG3', reason: "It is throttled; a web ACL is the account owner's choice." },
      { id: 'AwsSolutions-APIG4', reason },
      { id: 'AwsSolutions-COG4', reason },
    );
  }
}
