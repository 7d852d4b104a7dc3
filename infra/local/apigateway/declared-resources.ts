/**
 * The AWS::ApiGateway types and the properties of them that the local AWS supports. Those marked `noEffect` are
 * accepted and ignored; a property that is not listed is refused by name.
 */
import * as z from 'zod';
import {
  type Declaration,
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  refusal,
  resourcesOf,
  shortId,
} from '../cloudformation/resource-type.ts';
import { GATEWAY_RESPONSE_DEFAULTS, type GatewayResponseType } from './gateway-fault.ts';

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
/** API Gateway chooses the template by the Accept header; here there is one only. */
const JsonTemplate = z.strictObject({ 'application/json': z.string().optional() }).default({});

const RestApi = z
  .strictObject({
    Name: noEffect,
    Description: noEffect,
    /** The source of a request's API key. HEADER, the default of API Gateway, is not supported by the local AWS. */
    ApiKeySourceType: z.literal('AUTHORIZER').optional(),
    EndpointConfiguration: z.strictObject(
      {
        Types: z.tuple([z.literal('REGIONAL')]),
        /** Whether it has IPv6 addresses, too. The local endpoint has one of IPv4. */
        IpAddressType: z.enum(['ipv4', 'dualstack']).optional(),
      },
      'an API without endpoint types is EDGE; only REGIONAL is supported',
    ),
    /** With this one value all bodies are binary; lists of media types are not supported by the local AWS. */
    BinaryMediaTypes: z.tuple([z.literal('*/*')]).optional(),
    DisableExecuteApiEndpoint: z.boolean().optional(),
    FailOnWarnings: noEffect,
    /** The TLS versions of the endpoint. The local endpoint is plain HTTP. */
    SecurityPolicy: z.enum(['TLS_1_0', 'TLS_1_2', 'SecurityPolicy_TLS13_1_2_2021_06']).optional(),
    EndpointAccessMode: z.literal('BASIC').optional(),
    Tags: noEffect,
  })
  .refine(
    ({ SecurityPolicy = '', EndpointAccessMode }) =>
      SecurityPolicy.startsWith('SecurityPolicy_') === (EndpointAccessMode !== undefined),
    'a SecurityPolicy whose name starts with SecurityPolicy_ needs an EndpointAccessMode',
  );

export const ApiResource = z.strictObject({
  RestApiId: z.string(),
  ParentId: z.string(),
  PathPart: z.string().regex(/^([\w.:$~-]+|\{[\w.-]+\+?\})$/),
});
export type ApiResource = z.infer<typeof ApiResource>;

/** What becomes of binary bodies in an integration with templates. */
const ContentHandling = z.literal('CONVERT_TO_TEXT').optional();

export const IntegrationResponse = z.strictObject({
  StatusCode,
  ContentHandling,
  SelectionPattern: z.string().optional(),
  ResponseParameters: Strings.default({}),
  ResponseTemplates: JsonTemplate,
});

export const Integration = z.strictObject({
  Type: z.enum(['AWS_PROXY', 'MOCK']),
  /** API Gateway invokes functions by POST for every method of a request. */
  IntegrationHttpMethod: z.literal('POST').optional(),
  Uri: InvocationUri.optional(),
  ContentHandling,
  RequestTemplates: Strings.default({}),
  /** A mock must refuse the media types that it has no template for; passing bodies through is not supported. */
  PassthroughBehavior: z.literal('NEVER').optional(),
  IntegrationResponses: z.array(IntegrationResponse).default([]),
  /** 29 seconds is API Gateway's default, and its maximum unless the quota is raised. */
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
  /** Models and parameters are only checked by request validators, which are rejected. */
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
  AuthorizerResultTtlInSeconds: z.int().min(0).max(3600).optional(),
});
export type Authorizer = z.infer<typeof Authorizer>;

export const GatewayResponse = z.strictObject({
  RestApiId: z.string(),
  ResponseType: z.enum(Object.keys(GATEWAY_RESPONSE_DEFAULTS) as [GatewayResponseType]),
  StatusCode: StatusCode.optional(),
  ResponseParameters: Strings.default({}),
  ResponseTemplates: JsonTemplate,
});
export type GatewayResponse = z.infer<typeof GatewayResponse>;

export const Stage = z.strictObject({
  RestApiId: z.string(),
  StageName: z.string().regex(/^[\w-]{1,128}$/),
  AccessLogSetting: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
  MethodSettings: z
    .array(
      z.strictObject({
        /** Every path, or one whose slashes but the first are written ~1: /~1v1~1docs. */
        ResourcePath: z.string().regex(/^\/(\*|(~1[^/*]+)*)$/),
        HttpMethod: z.enum(['*', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
        // CloudFormation takes a number in text, too, which a mapping has.
        ThrottlingRateLimit: z.coerce.number().min(0).optional(),
        ThrottlingBurstLimit: z.coerce.number().int().min(0).optional(),
        LoggingLevel: z.enum(['OFF', 'ERROR', 'INFO']).optional(),
        DataTraceEnabled: noEffect,
        MetricsEnabled: noEffect,
      }),
    )
    .default([]),
  CacheClusterEnabled: off,
  DeploymentId: z.string().optional(),
  Description: noEffect,
  DocumentationVersion: noEffect,
  Tags: noEffect,
  TracingEnabled: noEffect,
});
export type Stage = z.infer<typeof Stage>;

export const UsagePlan = z.strictObject({
  UsagePlanName: noEffect,
  Description: noEffect,
  ApiStages: z
    .array(
      z.strictObject({
        ApiId: z.string(),
        Stage: z.string(),
        /** The rates of single methods. CDK writes an empty object when there are none. */
        Throttle: z.strictObject({}).optional(),
      }),
    )
    .default([]),
  /** The limits for each API key of the plan. */
  Throttle: z
    .strictObject({ RateLimit: z.number().min(0).optional(), BurstLimit: z.int().min(0).optional() })
    .optional(),
  Tags: noEffect,
});
export type UsagePlan = z.infer<typeof UsagePlan>;

/** On AWS a snapshot of the API; the local AWS serves what the template declares. */
const Deployment = z.strictObject({ RestApiId: z.string(), Description: noEffect });

/** The settings of the account: the role by which API Gateway writes logs. */
const Account = z.strictObject({ CloudWatchRoleArn: z.string().optional() });

const restApiId = (declaration: Declaration) => shortId(declaration, 10);
const id = (declaration: Declaration) => shortId(declaration, 6);

function withId(properties: z.ZodType, attribute: string): ResourceType {
  return { properties, ref: id, attributes: { [attribute]: id } };
}

export const API_GATEWAY_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGateway::Account': withId(Account, 'Id'),
  'AWS::ApiGateway::Authorizer': withId(Authorizer, 'AuthorizerId'),
  'AWS::ApiGateway::Deployment': withId(Deployment, 'DeploymentId'),
  'AWS::ApiGateway::GatewayResponse': withId(GatewayResponse, 'Id'),
  'AWS::ApiGateway::Method': { properties: Method, ref: id },
  'AWS::ApiGateway::Resource': withId(ApiResource, 'ResourceId'),
  'AWS::ApiGateway::RestApi': {
    properties: RestApi,
    ref: restApiId,
    attributes: {
      RestApiId: restApiId,
      RootResourceId: declaration => `${restApiId(declaration)}-root`,
    },
  },
  'AWS::ApiGateway::Stage': { properties: Stage, ref: declaration => nameOf(declaration, 'StageName') },
  'AWS::ApiGateway::UsagePlan': withId(UsagePlan, 'Id'),
};

/** A resource whose properties the local AWS supports. */
export interface Declared<Properties> {
  readonly physicalId: string;
  readonly properties: Properties;
  /** Throws an error of one line that names the stack, the resource and the fault. */
  refuse(fault: string): never;
}

export type DeclaredResources = ReturnType<typeof declaredResources>;

/** The AWS::ApiGateway resources of all stacks, by type. */
export function declaredResources(resources: readonly Resource[]) {
  const ofType = <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
  ): readonly Declared<z.infer<Schema>>[] =>
    resourcesOf(`AWS::ApiGateway::${name}`, schema, resources).map(resource => ({
      ...resource,
      refuse: fault => {
        throw refusal(resource, fault);
      },
    }));
  return {
    accounts: ofType('Account', Account),
    restApis: ofType('RestApi', RestApi),
    resources: ofType('Resource', ApiResource),
    methods: ofType('Method', Method),
    authorizers: ofType('Authorizer', Authorizer),
    gatewayResponses: ofType('GatewayResponse', GatewayResponse),
    stages: ofType('Stage', Stage),
    usagePlans: ofType('UsagePlan', UsagePlan),
  };
}

/**
 * A regular expression that must match the whole text, as in API Gateway. On AWS it is in Java's dialect; one that is
 * not valid in JavaScript is rejected.
 */
export function wholeTextPattern(expression: string, refuse: (fault: string) => never): RegExp {
  try {
    return new RegExp(`^(?:${expression})$`);
  } catch {
    return refuse(`the regular expression ${expression} is not supported by the local AWS`);
  }
}
