import { Arn, CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type CfnRestApi,
  EndpointType,
  IpAddressType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import { BROWSER_ORIGINS } from '../../shared/http/cors.ts';
import { STRICT_TRANSPORT_SECURITY } from '../../shared/http/headers.ts';
import type { Environment } from './environments.ts';
import { addGatewayResponses, transportSecurity } from './gateway-responses.ts';
import { acknowledgeWildcard, type ServiceFunction } from './service-function.ts';

/**
 * What the access log records of a request: enough to trace it, but no headers, query or body. API Gateway's messages are left
 * out: some quote the Authorization header, and a quotation mark would break the JSON. The invocation ids lead to what the
 * functions logged. Lambda's status is the invocation's, not the response's.
 */
const ACCESS_LOG_FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    requestId: '$context.extendedRequestId',
    host: '$context.domainName',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    latencyMs: '$context.responseLatency',
    functionLatencyMs: '$context.integrationLatency',
    functionRequestId: '$context.integration.requestId',
    lambdaStatus: '$context.integrationStatus',
    authorizerLatencyMs: '$context.authorizer.latency',
    authorizerRequestId: '$context.authorizer.requestId',
    responseBytes: '$context.responseLength',
    keyId: '$context.authorizer.keyId',
    keyRefusal: '$context.authorizer.refusal',
    sourceIp: '$context.identity.sourceIp',
    gatewayError: '$context.error.responseType',
  }),
);

/** Tells a function behind an API what the settings say about its responses: who may read them, and HSTS. */
export function withResponseHeaders(fn: ServiceFunction, environment: Environment): ServiceFunction {
  const { browserOrigins } = environment;
  if (browserOrigins.length > 0) fn.withVariable(BROWSER_ORIGINS, [browserOrigins].flat().join(' '));
  return fn.withVariable(STRICT_TRANSPORT_SECURITY, transportSecurity(environment));
}

interface ServiceApiProps extends RestApiProps {
  readonly restApiName: string;
  readonly stageName: string;
}

/** A REST API of the service: it is throttled (throttles.ts), its logs expire, and API Gateway's own responses are Errors. */
export class ServiceApi extends RestApi {
  readonly accessLogs: LogGroup;

  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { stageName, ...props }: ServiceApiProps,
  ) {
    const logOptions = { retention: environment.logRetention, removalPolicy: RemovalPolicy.DESTROY };
    const accessLogs = new LogGroup(scope, 'AccessLogs', logOptions);
    super(scope, id, {
      endpointConfiguration: { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.DUAL_STACK },
      deployOptions: {
        stageName,
        metricsEnabled: true,
        ...(environment.tracing && { tracingEnabled: true }),
        loggingLevel: MethodLoggingLevel.ERROR,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: ACCESS_LOG_FORMAT,
      },
      ...props,
    });
    this.accessLogs = accessLogs;
    // TLS 1.2 and 1.3, also for custom domain names: they use the policy of the API they're mapped to. The default for regional
    // APIs admits TLS 1.0. BASIC leaves the endpoint's other rules as they are.
    const api = this.node.defaultChild as CfnRestApi;
    api.securityPolicy = 'SecurityPolicy_TLS13_1_2_2021_06';
    api.endpointAccessMode = 'BASIC';
    addGatewayResponses(this, environment, { asksForKeys: props.apiKeySourceType !== undefined });
    // API Gateway logs errors to a group of this name, and would itself create one that never expires.
    const errorLogs = new LogGroup(scope, 'ErrorLogs', {
      logGroupName: `API-Gateway-Execution-Logs_${this.restApiId}/${stageName}`,
      ...logOptions,
    });
    this.deploymentStage.node.addDependency(errorLogs);
    associateWebAcl(this, environment);
    // RestApi adds an output with the URL of the stage, which nobody needs.
    this.node.tryRemoveChild('Endpoint');
  }
}

/** The window in which AWS WAF counts an IP address's requests, in seconds: its default. */
const WINDOW_SECONDS = 300;

/**
 * Puts a web ACL in front of an API, as the settings say: one of the account's, or the stack's own, which limits IP
 * addresses.
 */
function associateWebAcl(api: RestApi, { webAclArn, requestsPerAddress, stage }: Environment): void {
  const associate = (arn: string) =>
    new CfnWebACLAssociation(api, 'WebAcl', { resourceArn: api.deploymentStage.stageArn, webAclArn: arn });
  if (webAclArn !== undefined) associate(webAclArn);
  else if (requestsPerAddress !== undefined) {
    associate(addressLimit(Stack.of(api), stage, requestsPerAddress).attrArn);
  }
}

/** The web ACL of a stack, which both of its APIs share: a request to either counts for its IP address. */
function addressLimit(stack: Stack, stage: string, limit: number): CfnWebACL {
  const id = 'AddressLimit';
  const existing = stack.node.tryFindChild(id);
  if (existing) return existing as CfnWebACL;
  const visibilityConfig = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  return new CfnWebACL(stack, id, {
    description: `Petstore service, ${stage}: blocks an IP address after ${limit} requests in five minutes.`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig(`petstore-${stage}`),
    rules: [
      {
        name: 'requests-per-address',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: WINDOW_SECONDS },
        },
        visibilityConfig: visibilityConfig(`petstore-${stage}-requests-per-address`),
      },
    ],
  });
}

/** Calls that CloudFormation may make at once for the many small parts of the APIs. */
const LANES = 15;

/**
 * Makes CloudFormation create or change the APIs' parts a few at a time. Call it after the last part. CloudFormation would
 * otherwise start everything at once, and API Gateway takes 40 calls, then 10 a second, from the whole account.
 */
export function spreadControlPlaneCalls(stack: Stack): void {
  const parts = stack.node
    .findAll()
    .filter(CfnResource.isCfnResource)
    .filter(({ cfnResourceType }) =>
      /^AWS::ApiGateway::(GatewayResponse|Method|Resource)$/.test(cfnResourceType),
    );
  for (const [index, part] of parts.slice(LANES).entries())
    part.addResourceDependency(parts[index] as CfnResource);
}

/** The ARN of a path of API Gateway's control plane. */
export function gatewayArn(scope: Construct, path: string): string {
  return Arn.format({ service: 'apigateway', account: '', resource: path }, Stack.of(scope));
}

/**
 * Lets a function tag what it creates at API Gateway, which needs a separate permission. New resources have no tags yet, and
 * what another environment has tagged can't be retagged. Whether this check sees the request's tags isn't documented.
 */
export function allowTagging(
  fn: ServiceFunction,
  collection: 'apikeys' | 'domainnames',
  stage: string,
): void {
  const { partition, region } = Stack.of(fn);
  // The path contains the encoded ARN of the tagged resource.
  const tagsOf = (...place: [partition: string, region: string]) =>
    `/tags/arn%3A${place[0]}%3Aapigateway%3A${place[1]}%3A%3A%2F${collection}%2F*`;
  fn.allowIf(
    { StringEqualsIfExists: { [`aws:ResourceTag/${ENVIRONMENT_TAG}`]: stage } },
    'apigateway:PUT',
    gatewayArn(fn, tagsOf(partition, region)),
  );
  acknowledgeWildcard(
    fn,
    `arn:<AWS::Partition>:apigateway:<AWS::Region>::${tagsOf('<AWS::Partition>', '<AWS::Region>')}`,
    'API Gateway or the owner of a domain chooses the name; the condition is on the tag.',
  );
}
