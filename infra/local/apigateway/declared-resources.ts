import type * as z from 'zod';
import type { Resource } from '../cloudformation/resource.ts';
import * as properties from './resource-properties.ts';

/** A resource whose properties the local runtime supports. */
export interface Declared<Properties> {
  readonly physicalId: string;
  readonly properties: Properties;
  /** Throws an error of one line that names the stack, the resource and the fault. */
  refuse(fault: string): never;
}

/** The AWS::ApiGateway resources of all stacks, by type. */
export interface DeclaredResources {
  readonly restApis: readonly Declared<properties.RestApi>[];
  readonly resources: readonly Declared<properties.ApiResource>[];
  readonly methods: readonly Declared<properties.Method>[];
  readonly authorizers: readonly Declared<properties.Authorizer>[];
  readonly gatewayResponses: readonly Declared<properties.GatewayResponse>[];
  readonly stages: readonly Declared<properties.Stage>[];
  readonly usagePlans: readonly Declared<properties.UsagePlan>[];
}

const SCHEMA_BY_TYPE = {
  'AWS::ApiGateway::RestApi': properties.RestApi,
  'AWS::ApiGateway::Resource': properties.ApiResource,
  'AWS::ApiGateway::Method': properties.Method,
  'AWS::ApiGateway::Authorizer': properties.Authorizer,
  'AWS::ApiGateway::GatewayResponse': properties.GatewayResponse,
  'AWS::ApiGateway::Stage': properties.Stage,
  'AWS::ApiGateway::UsagePlan': properties.UsagePlan,
  'AWS::ApiGateway::Deployment': properties.Deployment,
  'AWS::ApiGateway::Account': properties.Account,
} as const;

type KnownType = keyof typeof SCHEMA_BY_TYPE;

/** The AWS::ApiGateway resources. Throws on the first that the local runtime does not support in full. */
export function declaredResources(resources: readonly Resource[]): DeclaredResources {
  const gatewayResources = resources.filter(({ type }) => type.startsWith('AWS::ApiGateway::'));
  for (const resource of gatewayResources) {
    if (!Object.hasOwn(SCHEMA_BY_TYPE, resource.type)) {
      refuse(resource, 'this resource type is not supported by the local runtime');
    }
  }
  const ofType = <T extends KnownType>(type: T) =>
    gatewayResources.filter(resource => resource.type === type).map(resource => declare(resource, type));
  ofType('AWS::ApiGateway::Deployment');
  ofType('AWS::ApiGateway::Account');
  return {
    restApis: ofType('AWS::ApiGateway::RestApi'),
    resources: ofType('AWS::ApiGateway::Resource'),
    methods: ofType('AWS::ApiGateway::Method'),
    authorizers: ofType('AWS::ApiGateway::Authorizer'),
    gatewayResponses: ofType('AWS::ApiGateway::GatewayResponse'),
    stages: ofType('AWS::ApiGateway::Stage'),
    usagePlans: ofType('AWS::ApiGateway::UsagePlan'),
  };
}

function declare<T extends KnownType>(
  resource: Resource,
  type: T,
): Declared<z.infer<(typeof SCHEMA_BY_TYPE)[T]>> {
  const parsed = SCHEMA_BY_TYPE[type].safeParse(resource.properties);
  if (!parsed.success) return refuse(resource, faultOf(parsed.error, resource.properties));
  return {
    physicalId: resource.physicalId,
    // The schema was looked up by the same type, which the compiler cannot follow through the table.
    properties: parsed.data as z.infer<(typeof SCHEMA_BY_TYPE)[T]>,
    refuse: fault => refuse(resource, fault),
  };
}

function refuse({ stack, logicalId, type }: Resource, fault: string): never {
  throw new Error(`${stack}/${logicalId} (${type}): ${fault}`);
}

function faultOf({ issues: [issue] }: z.ZodError, declared: unknown): string {
  if (issue === undefined) return 'its properties are not supported by the local runtime';
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return `the property ${[...path, issue.keys[0]].join('.')} is not supported by the local runtime`;
  }
  const value = path.reduce<unknown>((object, key) => (object as Record<string, unknown>)[key], declared);
  if (value === undefined) return `the property ${path.join('.')} is missing`;
  const supported = issue.message.replaceAll(/\s+/g, ' ');
  return `the value ${JSON.stringify(value)} of the property ${path.join('.')} is not supported by the local runtime (${supported})`;
}
