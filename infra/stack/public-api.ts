import { CfnOutput, Duration, Lazy, Validations } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  type IResource,
  LambdaIntegration,
  type Method,
  type MethodOptions,
  TokenAuthorizer,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import {
  AUTHORIZER_DEADLINE_MS,
  DYNAMODB_DEADLINE,
  OPERATION_DEADLINE_MS,
} from '../../shared/aws/retries.ts';
import type { OperationDeclaration, Route } from '../../shared/operation-declaration.ts';
import { listed, methodsOf, requestHeadersOf } from '../../shared/operations.ts';
import type { Throttle } from '../settings/regions.ts';
import type { Environment } from './environments.ts';
import { gatewayArn, ServiceApi, withResponseHeaders } from './service-api.ts';
import type { ServiceFunction } from './service-function.ts';
import { removalPolicyOf } from './service-table.ts';
import { ThrottledMethods } from './throttles.ts';
import { respondToOtherMethods, respondToUnknownPath } from './unrouted-requests.ts';

/** The HTTP interface: every operation is behind the authorizer, and API Gateway's own responses are Errors too. */
export class PublicApi extends Construct {
  readonly api: ServiceApi;
  readonly throttledMethods = new ThrottledMethods();
  /**
   * Signs the cursors of lists, and proofs that requests to a domain arrive. It's in an environment variable, so no request
   * pays for reading it.
   */
  readonly cursorSecret: Secret;
  /** Limits the rate of each API key. */
  readonly usagePlan: UsagePlan;
  readonly #authorizer: TokenAuthorizer;
  readonly #environment: Environment;
  readonly #routedResources = new Map<IResource, RoutedResource>();

  constructor(scope: Construct, id: string, environment: Environment, authorize: ServiceFunction) {
    super(scope, id);
    this.#environment = environment;
    this.api = new ServiceApi(this, 'Api', environment, {
      restApiName: `petstore-${environment.stage}`,
      stageName: environment.stage,
      // The authorizer names API Gateway's own key for the request, and thereby the usage plan that limits its rate.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: environment.setsGatewayLogRole,
      // Larger responses are compressed, which is binary. API Gateway decodes a response only if its binary media types
      // include what the client accepts, and clients accept all kinds.
      binaryMediaTypes: ['*/*'],
    });
    authorize.withVariable(DYNAMODB_DEADLINE, String(AUTHORIZER_DEADLINE_MS));
    this.#authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: authorize.lambda,
      // API Gateway rejects what cannot be a key of this environment without invoking the function.
      validationRegex: `^[Bb][Ee][Aa][Rr][Ee][Rr] +${environment.apiKeyPrefix}[0-9A-Za-z]{34} *$`,
      resultsCacheTtl: Duration.minutes(5),
    });
    this.cursorSecret = new Secret(this, 'CursorSecret', {
      description: 'Signs the cursors of lists and the proofs of domains.',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
      removalPolicy: removalPolicyOf(environment),
    });
    this.usagePlan = this.api.addUsagePlan('UsagePlan', {
      throttle: {
        rateLimit: environment.throttlePerKey.ratePerSecond,
        burstLimit: environment.throttlePerKey.burst,
      },
      apiStages: [{ stage: this.api.deploymentStage }],
    });
    this.#refuseUnknownPaths();
    this.#acknowledge(environment);
    new CfnOutput(this, 'BaseUrl', {
      value: `${this.api.url}v1`,
      description: 'Base URL of the interface.',
    }).overrideLogicalId('BaseUrl');
  }

  /** Lets a function open and close the default endpoint, which takes effect with an update of the stage. */
  grantEndpoint(fn: ServiceFunction): ServiceFunction {
    const { restApiId } = this.api;
    const paths = [`/restapis/${restApiId}`, `/restapis/${restApiId}/stages/${this.#environment.stage}`];
    const resources = paths.map(path => gatewayArn(this, path));
    return fn.allow('apigateway:GET', ...resources).allow('apigateway:PATCH', ...resources);
  }

  /** Lets a function prove that requests to a domain arrive here, or check the proof. */
  withProofSecret(fn: ServiceFunction): ServiceFunction {
    return fn.withVariable('PROOF_SECRET', this.cursorSecret.secretValue.unsafeUnwrap());
  }

  /** Lets a function put keys into the usage plan. */
  grantPlanMembership(fn: ServiceFunction): ServiceFunction {
    const { usagePlanId } = this.usagePlan;
    const keys = gatewayArn(this, `/usageplans/${usagePlanId}/keys`);
    return fn
      .allow('apigateway:GET', keys)
      .allow('apigateway:POST', keys)
      .withVariable('USAGE_PLAN_ID', usagePlanId);
  }

  /** Routes a declared operation to its function, behind the authorizer. */
  route(operation: OperationDeclaration, operationFunction: ServiceFunction): void {
    operationFunction.withVariable(DYNAMODB_DEADLINE, String(OPERATION_DEADLINE_MS));
    this.#addMethods(operation, operationFunction, requestHeadersOf(operation), {
      authorizer: this.#authorizer,
      apiKeyRequired: true,
    });
  }

  /**
   * Routes requests to a function without asking for an API key; the reason is for cdk-nag. Its own throttle keeps
   * strangers from running up the bill.
   */
  openRoute(route: Route, routedFunction: ServiceFunction, reason: string, throttle: Throttle): void {
    const options = { authorizationType: AuthorizationType.NONE };
    for (const method of this.#addMethods(route, routedFunction, ['If-None-Match'], options, throttle)) {
      Validations.of(method).acknowledge(
        { id: 'AwsSolutions-APIG4', reason },
        { id: 'AwsSolutions-COG4', reason },
      );
    }
  }

  /** Adds the method of a route, and HEAD beside GET: the function responds without a body. */
  #addMethods(
    route: Route,
    routedFunction: ServiceFunction,
    requestHeaders: readonly string[],
    options: MethodOptions,
    throttle?: Throttle,
  ): Method[] {
    const resource = this.api.root.resourceForPath(`/v1${route.path}`);
    const methods = methodsOf(route);
    const routed = this.#routedResource(resource);
    for (const method of methods) {
      routed.methods.add(method);
      this.throttledMethods.add(`/v1${route.path}`, method, throttle);
    }
    for (const header of requestHeaders) routed.requestHeaders.add(header);
    const { lambda } = withResponseHeaders(routedFunction, this.#environment);
    return methods.map(method => {
      // Nobody tests methods in the console, which would need another permission.
      const integration = new LambdaIntegration(lambda, { allowTestInvoke: false });
      return resource.addMethod(method, integration, options);
    });
  }

  /** What is routed at a resource. API Gateway itself responds to OPTIONS, and with 405 and Allow to every other method. */
  #routedResource(resource: IResource): RoutedResource {
    const known = this.#routedResources.get(resource);
    if (known) return known;
    const routed = { methods: new Set<string>(), requestHeaders: new Set<string>() };
    this.#routedResources.set(resource, routed);
    const methods = Lazy.string({ produce: () => listed(routed.methods) });
    const allow = Lazy.string({ produce: () => listed([...routed.methods, 'OPTIONS']) });
    const requestHeaders = Lazy.string({ produce: () => listed(routed.requestHeaders) });
    respondToOtherMethods(resource, this.#environment, { allow, methods, requestHeaders });
    return routed;
  }

  /**
   * API Gateway itself responds with 404 to all other paths. Without a method there, it would expect an IAM signature.
   * `{proxy+}` takes whatever no other resource serves, except the root.
   */
  #refuseUnknownPaths(): void {
    const { root } = this.api;
    const others = root.addResource('{proxy+}');
    for (const resource of [root, others]) respondToUnknownPath(resource, this.#environment);
    this.throttledMethods.addCatchAll(others.path);
  }

  #acknowledge({ setsGatewayLogRole }: Environment): void {
    if (setsGatewayLogRole) {
      Validations.of(this.api).acknowledge({
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'API Gateway writes its logs with the policy that AWS manages for exactly that.',
      });
    }
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate with the one contract: the gateway can neither check int64 nor name faults.',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason: "Clients hold API keys and are throttled; a web ACL is the account owner's choice.",
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'The interface asks for bearer API keys, checked by the TOKEN authorizer.',
      },
    );
    Validations.of(this.cursorSecret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Rotation would void the cursors that clients hold; a forged cursor gives access to nothing.',
    });
  }
}

/** The methods that are routed at a resource, and the request headers that they take. */
interface RoutedResource {
  readonly methods: Set<string>;
  readonly requestHeaders: Set<string>;
}
