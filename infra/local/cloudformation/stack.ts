/** Resolves a stack of a cloud assembly: replaces every intrinsic function and dynamic reference by its value. */
import type { StackArtifact } from './cloud-assembly.ts';
import { ACCOUNT_ID, PARTITION, REGION, stackId, URL_SUFFIX } from './pseudo-parameters.ts';
import {
  type Declaration,
  parseProperties,
  type Resource,
  type ResourceLocation,
  type ResourceType,
  refusal,
} from './resource-type.ts';

interface ResolvedStack {
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** The value of AWS::NoValue: a property or list item with this value is removed. */
const NO_VALUE = Symbol('AWS::NoValue');

/** Resolves the intrinsic functions of a stack. A resource type that is not in the table is refused by name. */
export function resolveStack(
  { name: stack, template }: StackArtifact,
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
      findInMap: (map, topKey, secondKey) => template.Mappings[map]?.[topKey]?.[secondKey],
      ref: name => {
        if (name in pseudoParameters) return pseudoParameters[name];
        if (name in template.Parameters) {
          return refuse(`the parameter ${name} is not supported by the local AWS`);
        }
        return physicalId(name, refuse);
      },
      getAtt: (logicalId, attribute) => {
        const { type, location: declaredAt, declaration } = declared(logicalId, refuse);
        const value = type.attributes?.[attribute];
        const what = `the attribute ${attribute} of ${logicalId} (${declaredAt.type})`;
        return value === undefined ? refuse(`${what} is not supported by the local AWS`) : value(declaration);
      },
    };
  }

  function declared(logicalId: string, refuse: Scope['refuse']) {
    const resource = template.Resources[logicalId] ?? refuse(`${logicalId} is not declared in the template`);
    const location = { stack, logicalId, type: resource.Type };
    const type = types[resource.Type];
    if (type === undefined) {
      throw refusal(location, 'this resource type is not supported by the local AWS');
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
    return { type, declaration, resource, location, scope };
  }

  function physicalId(logicalId: string, refuse: Scope['refuse']): string {
    const known = physicalIds.get(logicalId);
    if (known !== undefined) return known;
    const { type, declaration } = declared(logicalId, refuse);
    if (namesInProgress.has(logicalId)) return refuse(`the name of ${logicalId} refers to itself`);
    namesInProgress.add(logicalId);
    try {
      const id = type.ref(declaration);
      physicalIds.set(logicalId, id);
      return id;
    } finally {
      namesInProgress.delete(logicalId);
    }
  }

  const refuseInStack = scopeOf({ stack }).refuse;
  const resources = Object.keys(template.Resources).map((logicalId): Resource => {
    const { type, resource, location, scope } = declared(logicalId, refuseInStack);
    const properties = resolve(resource.Properties, scope) as Record<string, unknown>;
    parseProperties(type.properties, properties, location);
    return { ...location, physicalId: physicalId(logicalId, refuseInStack), properties };
  });
  const outputs = Object.entries(template.Outputs).map(([name, { Value }]) => {
    const scope = scopeOf({ stack, logicalId: name, type: 'Output' });
    return [name, String(resolve(Value, scope))];
  });
  return { name: stack, resources, outputs: Object.fromEntries(outputs) };
}

/** What the intrinsic functions of one place in a template refer to. */
interface Scope {
  ref(name: string): unknown;
  getAtt(logicalId: string, attribute: string): unknown;
  findInMap(map: string, topKey: string, secondKey: string): string | undefined;
  refuse(what: string): never;
}

/** Replaces every intrinsic function in a value by its result. */
function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map(item => resolve(item, scope)).filter(item => item !== NO_VALUE);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[name = '', argument] = []] = entries;
  if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) return call(name, argument, scope);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, resolve(item, scope)]).filter(([, item]) => item !== NO_VALUE),
  );
}

function call(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case 'Ref':
      return scope.ref(String(argument));
    case 'Fn::GetAtt': {
      const [logicalId, attribute] = typeof argument === 'string' ? splitOnce(argument) : list(argument);
      return scope.getAtt(String(logicalId), String(resolve(attribute, scope)));
    }
    case 'Fn::Join': {
      const [separator, items] = list(argument);
      return list(resolve(items, scope)).map(String).join(String(separator));
    }
    case 'Fn::Sub':
      return substitute(argument, scope);
    case 'Fn::FindInMap': {
      const keys = list(resolve(argument, scope)).map(String);
      const [map = '', topKey = '', secondKey = ''] = keys;
      return (
        scope.findInMap(map, topKey, secondKey) ??
        scope.refuse(`unable to get mapping for ${keys.join('::')}`)
      );
    }
    case 'Fn::Select': {
      const [index, items] = list(resolve(argument, scope));
      const selected = list(items)[Number(index)];
      return selected ?? scope.refuse(`Fn::Select finds no item ${String(index)} in its list`);
    }
    case 'Fn::Split': {
      const [separator, text] = list(resolve(argument, scope));
      return String(text).split(String(separator));
    }
    default:
      return scope.refuse(`the intrinsic function ${name} is not supported by the local AWS`);
  }
}

/** `${Name}` is a Ref, `${Name.Attribute}` a GetAtt, `${!Text}` the literal `${Text}`. */
function substitute(argument: unknown, scope: Scope): string {
  const [text, variables] = typeof argument === 'string' ? [argument, {}] : list(argument);
  const given = new Map(Object.entries(resolve(variables ?? {}, scope) as object));
  return String(text).replace(/\$\{([^}]+)\}/g, (_, expression: string) => {
    const name = expression.trim();
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (given.has(name)) return String(given.get(name));
    const [logicalId, attribute] = splitOnce(name);
    return String(attribute === undefined ? scope.ref(name) : scope.getAtt(logicalId, attribute));
  });
}

function splitOnce(text: string): [string, string | undefined] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns the value of a secret by its ARN or name, or undefined when there is none. */
export type SecretString = (secretId: string) => string | undefined;

const DYNAMIC_REFERENCE = /\{\{resolve:([^}]+)\}\}/g;

/** The id of a secret, which may be an ARN, then SecretString without JSON key, version stage and version id. */
const SECRET_REFERENCE = /^secretsmanager:(.+?)(?::SecretString:*)?$/;

/** Replaces the {{resolve:secretsmanager:…}} references in a resource's properties by the secrets' values. */
export function resolveDynamicReferences(resource: Resource, secretString: SecretString): Resource {
  function reference(whole: string, rest: string): string {
    const [, secretId] = SECRET_REFERENCE.exec(rest) ?? [];
    if (secretId === undefined) {
      throw refusal(resource, `the dynamic reference ${whole} is not supported by the local AWS`);
    }
    const secret = secretString(secretId);
    if (secret === undefined) {
      throw refusal(resource, `the dynamic reference ${whole} names a secret that no stack declares`);
    }
    return secret;
  }

  function replaced(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(DYNAMIC_REFERENCE, reference);
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item)]));
  }

  return { ...resource, properties: replaced(resource.properties) as Resource['properties'] };
}
