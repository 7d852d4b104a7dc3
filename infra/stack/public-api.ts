import { CfnOutput, Duration, Lazy, Validations } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  type IResource,
  LambdaIntegration,
  type Method,
  type MethodOptions,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
  TokenAuthorizer,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { errorBody } from '../../shared/http/errors.ts';
import type { Environment } from './environments.ts';
import { GATEWAY_HEADERS } from './gateway-responses.ts';
import { ServiceApi } from './service-api.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * A mock answers only to media types that it has a template for and says 415 to others. These are what clients send
 * without thinking about it, so a wrong method is answered as one.
 */
const ANY_MEDIA_TYPE = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
];

/** The HTTP interface: every operation behind the authorizer, every answer of the gateway itself an Error. */
export class PublicApi extends Construct {
  readonly api: RestApi;
  /** Signs the cursors of lists. Part of the functions' settings, so that reading it costs a request nothing. */
  readonly cursorSecret: Secret;
  /** Limits the rate of each API key. */
  readonly usagePlan: UsagePlan;
  /** The functions behind the routes. */
  readonly operations: ServiceFunction[] = [];
  readonly #authorizer: TokenAuthorizer;
  readonly #routes = new Map<IResource, string[]>();

  constructor(scope: Construct, id: string, environment: Environment, authorize: ServiceFunction) {
    super(scope, id);
    this.api = new ServiceApi(this, 'Api', environment, {
      restApiName: `petstore-${environment.stage}`,
      stageName: environment.stage,
      // The authorizer says which of API Gateway's own keys, and so which rate limit, a request counts for.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: true,
    });
    this.#authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: authorize.lambda,
      // What cannot be a key of this environment is refused before the function is asked.
      validationRegex: `^[Bb][Ee][Aa][Rr][Ee][Rr] +${environment.apiKeyPrefix}[0-9A-Za-z]{34} *$`,
      resultsCacheTtl: Duration.minutes(5),
    });
    this.cursorSecret = new Secret(this, 'CursorSecret', {
      description: 'Signs the cursors of lists.',
      generateSecretString: { passwordLength: 43, excludePunctuation: true },
    });
    this.usagePlan = this.api.addUsagePlan('UsagePlan', {
      throttle: {
        rateLimit: environment.throttlePerKey.ratePerSecond,
        burstLimit: environment.throttlePerKey.burst,
      },
      apiStages: [{ stage: this.api.deploymentStage }],
    });
    this.#acknowledge();
    new CfnOutput(this, 'BaseUrl', {
      value: `${this.api.url}v1`,
      description: 'Base address of the interface.',
    }).overrideLogicalId('BaseUrl');
  }

  /** Puts an operation at its method and path, such as `GET /pets/{petId}`, behind the authorizer. */
  route(methodAndPath: string, operation: ServiceFunction): void {
    this.#addMethod(methodAndPath, operation, { authorizer: this.#authorizer, apiKeyRequired: true });
  }

  /** Puts a function at its method and path for everybody, with or without an API key, for a reason. */
  openRoute(methodAndPath: string, operation: ServiceFunction, reason: string): void {
    const method = this.#addMethod(methodAndPath, operation, { authorizationType: AuthorizationType.NONE });
    Validations.of(method).acknowledge(
      { id: 'AwsSolutions-APIG4', reason },
      { id: 'AwsSolutions-COG4', reason },
    );
  }

  #addMethod(methodAndPath: string, operation: ServiceFunction, options: MethodOptions): Method {
    const [name = '', path = ''] = methodAndPath.split(' ');
    const resource = this.api.root.resourceForPath(`/v1${path}`);
    const method = resource.addMethod(name, new LambdaIntegration(operation.lambda), options);
    this.operations.push(operation);
    const methods = this.#routes.get(resource);
    if (methods) methods.push(name);
    else this.#refuseOtherMethods(resource, [name]);
    return method;
  }

  /** 405 with Allow for every method that the resource does not have, from the gateway itself. */
  #refuseOtherMethods(resource: IResource, methods: string[]): void {
    this.#routes.set(resource, methods);
    const allowed = Lazy.string({ produce: () => `'${methods.toSorted().join(', ')}'` });
    const headers = { ...GATEWAY_HEADERS, Allow: allowed };
    const body = errorBody(
      'method_not_allowed',
      'This method is not supported here. Allow lists those that are.',
    );
    const statusCode = String(body.status);
    const refusal = new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: Object.fromEntries(
        ANY_MEDIA_TYPE.map(type => [type, `{"statusCode":${statusCode}}`]),
      ),
      integrationResponses: [
        {
          statusCode,
          responseParameters: withPrefix('method.response.header.', headers),
          responseTemplates: { 'application/json': JSON.stringify(body) },
        },
      ],
    });
    const responseParameters = Object.fromEntries(
      Object.keys(headers).map(name => [`method.response.header.${name}`, true]),
    );
    const method = resource.addMethod('ANY', refusal, {
      methodResponses: [{ statusCode, responseParameters }],
    });
    Validations.of(method).acknowledge(
      {
        id: 'AwsSolutions-APIG4',
        reason: 'It only says that the method is not supported; nothing is behind it.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'It only says that the method is not supported; nothing is behind it.',
      },
    );
  }

  #acknowledge(): void {
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate with the one contract: the gateway can neither check int64 nor name faults.',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason: 'Clients hold API keys and are throttled; a web ACL is the account owner’s choice.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'The interface asks for bearer API keys, checked by the TOKEN authorizer.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'API Gateway writes its logs with the policy that AWS manages for exactly that.',
      },
    );
    Validations.of(this.cursorSecret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Rotation would void the cursors that clients hold; a forged cursor gives access to nothing.',
    });
  }
}

function withPrefix(prefix: string, headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}${name}`, value]));
}
