import type { StackArtifact } from './cloud-assembly.ts';
import { evaluateCondition, NO_VALUE, resolve, type Scope } from './intrinsic-functions.ts';
import { ACCOUNT_ID, PARTITION, REGION, stackId, URL_SUFFIX } from './pseudo-parameters.ts';
import { parseProperties, type ResourceLocation, refusal } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { Declaration, ResourceType } from './resource-type.ts';

/** A stack with every intrinsic function replaced by its value. */
export interface ResolvedStack {
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** Resolves a stack of a cloud assembly. A resource type that is not in the table is refused by name. */
export function resolveStack(
  { name: stack, template, parameters }: StackArtifact,
  types: Readonly<Record<string, ResourceType>>,
): ResolvedStack {
  const pseudoParameters: Readonly<Record<string, unknown>> = {
    'AWS::AccountId': ACCOUNT_ID,
    'AWS::NoValue': NO_VALUE,
    'AWS::Partition': PARTITION,
    'AWS::Region': REGION,
    'AWS::StackId': stackId(stack),
    'AWS::StackName': stack,
    'AWS::URLSuffix': URL_SUFFIX,
  };
  const namesInProgress = new Set<string>();
  const physicalIds = new Map<string, string>();

  function scopeOf(location: ResourceLocation): Scope {
    const refuse = (what: string): never => {
      throw refusal(location, what);
    };
    return {
      refuse,
      ref: name => {
        if (name in pseudoParameters) {
          return pseudoParameters[name];
        }
        return name in template.Parameters ? parameter(name, refuse) : physicalId(name, refuse);
      },
      getAtt: (logicalId, attribute) => {
        const { type, typeName, declaration } = declared(logicalId, refuse);
        const value = type.attributes?.[attribute];
        return value === undefined
          ? refuse(
              `the attribute ${attribute} of ${logicalId} (${typeName}) is not supported by the local runtime`,
            )
          : value(declaration);
      },
      condition: name =>
        name in template.Conditions
          ? evaluateCondition(template.Conditions[name], scopeOf(location))
          : refuse(`the condition ${name} is not declared`),
      mapping: (map, topLevelKey, secondLevelKey) =>
        template.Mappings[map]?.[topLevelKey]?.[secondLevelKey] ??
        refuse(`Fn::FindInMap finds nothing at ${map}.${topLevelKey}.${secondLevelKey}`),
    };
  }

  function parameter(name: string, refuse: Scope['refuse']): unknown {
    const { Type: type, Default: byDefault } = template.Parameters[name] ?? { Type: 'String' };
    if (type.startsWith('AWS::SSM::')) {
      return refuse(`the parameter ${name} is read from SSM, which is not supported by the local runtime`);
    }
    const value = parameters[name] ?? byDefault;
    if (value === undefined) {
      return refuse(`the parameter ${name} has neither value nor default`);
    }
    return type === 'CommaDelimitedList' || type.startsWith('List<') ? String(value).split(',') : value;
  }

  function declared(logicalId: string, refuse: Scope['refuse']) {
    const resource = template.Resources[logicalId] ?? refuse(`${logicalId} is not declared in the template`);
    const location = { stack, logicalId, type: resource.Type };
    const type = types[resource.Type];
    if (type === undefined) {
      throw refusal(location, 'this resource type is not supported by the local runtime');
    }
    const scope = scopeOf(location);
    const declaration: Declaration = {
      stack,
      logicalId,
      property: name => {
        const value = resolve(resource.Properties[name], scope);
        return value === NO_VALUE ? undefined : value;
      },
    };
    return { type, typeName: resource.Type, declaration, resource, location, scope };
  }

  function physicalId(logicalId: string, refuse: Scope['refuse']): string {
    const known = physicalIds.get(logicalId);
    if (known !== undefined) {
      return known;
    }
    const { type, declaration } = declared(logicalId, refuse);
    if (namesInProgress.has(logicalId)) {
      return refuse(`the name of ${logicalId} refers to itself`);
    }
    namesInProgress.add(logicalId);
    try {
      const id = type.ref(declaration);
      physicalIds.set(logicalId, id);
      return id;
    } finally {
      namesInProgress.delete(logicalId);
    }
  }

  const applies = (condition: string | undefined, location: ResourceLocation): boolean =>
    condition === undefined || scopeOf(location).condition(condition);

  const refuseInStack = scopeOf({ stack }).refuse;
  const resources = Object.keys(template.Resources).flatMap(logicalId => {
    const { type, typeName, resource, location, scope } = declared(logicalId, refuseInStack);
    if (!applies(resource.Condition, location)) {
      return [];
    }
    const properties = resolve(resource.Properties, scope) as Record<string, unknown>;
    parseProperties(type.properties, properties, location);
    return [
      { stack, logicalId, type: typeName, physicalId: physicalId(logicalId, refuseInStack), properties },
    ];
  });

  const outputs = Object.entries(template.Outputs).flatMap(([name, output]) => {
    const location = { stack, logicalId: name, type: 'Output' };
    return applies(output.Condition, location)
      ? [[name, String(resolve(output.Value, scopeOf(location)))]]
      : [];
  });

  return { name: stack, resources, outputs: Object.fromEntries(outputs) };
}
