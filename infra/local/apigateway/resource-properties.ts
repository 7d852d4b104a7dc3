/**
 * The properties of the AWS::ApiGateway types that the local runtime honours, and those marked `noEffect` that
 * change nothing on one machine. The objects are strict: whatever is not listed is refused by name.
 */
import * as z from 'zod';
import { GATEWAY_RESPONSE_DEFAULTS, type GatewayResponseType } from './gateway-fault.ts';

const noEffect = z.unknown().optional();
const off = z.literal(false).optional();

const InvocationUri = z
  .string()
  .regex(/^arn:[\w-]+:apigateway:[\w-]+:lambda:path\/2015-03-31\/functions\/[^/]+\/invocations$/);

/** The ARN of the function that an invocation URI names. */
export function functionArn(invocationUri: string): string {
  return invocationUri.replace(/^.*\/functions\//, '').replace(/\/invocations$/, '');
}

const StatusCode = z.string().regex(/^[2-5]\d\d$/);
const Strings = z.record(z.string(), z.string());

export const RestApi = z.strictObject({
  Name: noEffect,
  Description: noEffect,
  /** Where the API key of a request comes from. API Gateway's default, the header X-API-Key, is not known here. */
  ApiKeySourceType: z.literal('AUTHORIZER').optional(),
  EndpointConfiguration: z
    .strictObject({ Types: z.array(z.literal('REGIONAL')), IpAddressType: noEffect })
    .optional(),
  DisableExecuteApiEndpoint: off,
  FailOnWarnings: noEffect,
  /** The TLS version of the endpoint: the local one speaks plain HTTP. */
  SecurityPolicy: noEffect,
  Tags: noEffect,
});
export type RestApi = z.infer<typeof RestApi>;

export const ApiResource = z.strictObject({
  RestApiId: z.string(),
  ParentId: z.string(),
  PathPart: z.string().regex(/^([\w.:$~-]+|\{[\w.-]+\+?\})$/),
});
export type ApiResource = z.infer<typeof ApiResource>;

export const IntegrationResponse = z.strictObject({
  StatusCode,
  SelectionPattern: z.string().optional(),
  ResponseParameters: Strings.default({}),
  ResponseTemplates: Strings.default({}),
});

export const Integration = z.strictObject({
  Type: z.enum(['AWS_PROXY', 'MOCK']),
  /** API Gateway invokes functions by POST, whatever the method of the request. */
  IntegrationHttpMethod: z.literal('POST').optional(),
  Uri: InvocationUri.optional(),
  RequestTemplates: Strings.default({}),
  PassthroughBehavior: z.enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']).default('WHEN_NO_MATCH'),
  IntegrationResponses: z.array(IntegrationResponse).default([]),
  /** 29 seconds is API Gateway's own default and, unless raised by quota, its maximum. */
  TimeoutInMillis: z.int().min(50).default(29_000),
  ResponseTransferMode: z.literal('BUFFERED').optional(),
});
export type Integration = z.infer<typeof Integration>;

export const Method = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ANY']),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']),
  AuthorizerId: z.string().optional(),
  ApiKeyRequired: z.boolean().default(false),
  OperationName: z.string().optional(),
  Integration,
  MethodResponses: z
    .array(
      z.strictObject({
        StatusCode,
        ResponseParameters: z.record(z.string(), z.boolean()).default({}),
        ResponseModels: noEffect,
      }),
    )
    .default([]),
  /** Models and parameters only document the method unless a request validator, which is refused, checks them. */
  RequestModels: noEffect,
  RequestParameters: noEffect,
});
export type Method = z.infer<typeof Method>;

export const Authorizer = z.strictObject({
  RestApiId: z.string(),
  Name: noEffect,
  AuthType: noEffect,
  Type: z.literal('TOKEN'),
  AuthorizerUri: InvocationUri,
  IdentitySource: z.string().regex(/^method\.request\.header\.[\w-]+$/),
  IdentityValidationExpression: z.string().optional(),
  AuthorizerResultTtlInSeconds: z.int().min(0).max(3600).default(300),
});
export type Authorizer = z.infer<typeof Authorizer>;

export const GatewayResponse = z.strictObject({
  RestApiId: z.string(),
  ResponseType: z.enum(Object.keys(GATEWAY_RESPONSE_DEFAULTS) as [GatewayResponseType]),
  StatusCode: StatusCode.optional(),
  ResponseParameters: Strings.default({}),
  /** API Gateway picks a template by the Accept header; with this one type there is nothing to pick. */
  ResponseTemplates: z.strictObject({ 'application/json': z.string().optional() }).default({}),
});
export type GatewayResponse = z.infer<typeof GatewayResponse>;

export const Stage = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string().regex(/^[\w-]{1,128}$/),
  AccessLogSetting: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
  MethodSettings: z
    .array(
      z.strictObject({
        ResourcePath: z.literal('/*'),
        HttpMethod: z.literal('*'),
        ThrottlingRateLimit: z.number().min(0).optional(),
        ThrottlingBurstLimit: z.int().min(0).optional(),
        LoggingLevel: noEffect,
        DataTraceEnabled: noEffect,
        MetricsEnabled: noEffect,
      }),
    )
    .max(1)
    .default([]),
  CacheClusterEnabled: off,
  DeploymentId: noEffect,
  Description: noEffect,
  DocumentationVersion: noEffect,
  Tags: noEffect,
  TracingEnabled: noEffect,
});
export type Stage = z.infer<typeof Stage>;

export const UsagePlan = z.strictObject({
  UsagePlanName: z.string().optional(),
  Description: z.string().optional(),
  ApiStages: z
    .array(
      z.strictObject({
        ApiId: z.string(),
        Stage: z.string(),
        /** Rates of single methods. CDK writes it even when there are none. */
        Throttle: z.strictObject({}).optional(),
      }),
    )
    .default([]),
  /** For each API key of the plan. */
  Throttle: z
    .strictObject({ RateLimit: z.number().min(0).optional(), BurstLimit: z.int().min(0).optional() })
    .optional(),
  Tags: noEffect,
});
export type UsagePlan = z.infer<typeof UsagePlan>;

/** A snapshot of the API on AWS; here the template itself is what is served. */
export const Deployment = z.strictObject({ RestApiId: z.string(), Description: noEffect });

export const Account = z.strictObject({ CloudWatchRoleArn: noEffect });
