/**
 * The shapes, constraints and errors of a service, from AWS's own service model (models/<service>.json). A file is read
 * when the first operation of its service is performed.
 */
import { readFileSync } from 'node:fs';

/** What a service model says about an operation. */
export interface OperationModel {
  /**
   * The errors of the operation itself, beside those of every operation of the service, and the HTTP
   * status of each where the model has one.
   */
  readonly errors: ReadonlyMap<string, number | undefined>;
  /** How an input breaks the model: required members, unknown members, types, lengths, ranges, patterns, enums. */
  inputFaults(input: object): readonly Fault[];
  /** How an output breaks the model: required members, unknown members, types, enums. */
  outputFaults(output: unknown): readonly Fault[];
}

export interface ServiceModel {
  readonly shapes: Shapes;
  /** Undefined for an operation that the model does not have. */
  operation(name: string): OperationModel | undefined;
}

type ServiceModelName =
  | 'acm'
  | 'apigateway'
  | 'events'
  | 'logs'
  | 'route53'
  | 'secretsmanager'
  | 'stepfunctions';

/** The content of a model's file. */
interface ServiceModelContent {
  readonly operations: Readonly<Record<string, OperationContent>>;
  readonly shapes: Shapes;
}

interface OperationContent {
  readonly input?: string;
  readonly output?: string;
  readonly errors: readonly { readonly name: string; readonly httpStatus?: number }[];
}

const loaded = new Map<ServiceModelName, ServiceModel>();

/** The model of a service. Its file is read once per process. */
export function loadServiceModel(name: ServiceModelName): ServiceModel {
  const model = loaded.get(name) ?? serviceModel(readModel(name));
  loaded.set(name, model);
  return model;
}

function readModel(name: ServiceModelName): ServiceModelContent {
  return JSON.parse(readFileSync(new URL(`models/${name}.json`, import.meta.url), 'utf8'));
}

export function serviceModel({ operations, shapes }: ServiceModelContent): ServiceModel {
  return {
    shapes,
    operation(name) {
      const operation = operations[name];
      if (operation === undefined) return undefined;
      const { input, output, errors } = operation;
      return {
        errors: new Map(errors.map(error => [error.name, error.httpStatus])),
        inputFaults: value => shapeFaults(input, value, shapes, { hasConstraints: true }),
        outputFaults: value => shapeFaults(output, value, shapes, { hasConstraints: false }),
      };
    },
  };
}

export type Shapes = Readonly<Record<string, Shape>>;

export interface Member {
  readonly shape: string;
}

export interface Shape {
  readonly type: string;
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, Member>>;
  readonly member?: Member;
  readonly key?: Member;
  readonly value?: Member;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

/** A constraint that is not satisfied, at a member: `ChangeBatch.Changes.0.Action`. */
interface Fault {
  readonly path: string;
  readonly message: string;
}

interface CheckOptions {
  /**
   * Whether lengths, ranges and patterns are checked. In responses they are not: AWS itself returns ids that are
   * longer than their shape, such as /hostedzone/Z….
   */
  readonly hasConstraints: boolean;
}

interface Checking extends CheckOptions {
  readonly shapes: Shapes;
  readonly faults: Fault[];
}

/** How a value breaks a shape. Without a shape, only nothing or an empty object is right. */
export function shapeFaults(
  name: string | undefined,
  value: unknown,
  shapes: Shapes,
  options: CheckOptions,
): readonly Fault[] {
  const checking = { ...options, shapes, faults: [] };
  check(name === undefined ? { type: 'structure' } : shapeOf(name, shapes), value ?? {}, '', checking);
  return checking.faults;
}

function shapeOf(name: string, shapes: Shapes): Shape {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`The service model has no shape ${name}.`);
  return shape;
}

function check(shape: Shape, value: unknown, path: string, checking: Checking): void {
  const isNested = shape.type === 'structure' || shape.type === 'map';
  if (isNested && !isObject(value)) addFault('Member must be an object', path, checking);
  else if (shape.type === 'structure') checkStructure(shape, value as Members, path, checking);
  else if (shape.type === 'map') checkMap(shape, value as Members, path, checking);
  else if (shape.type !== 'list') checkScalar(shape, value, path, checking);
  else if (Array.isArray(value)) checkList(shape, value, path, checking);
  else addFault('Member must be a list', path, checking);
}

function addFault(message: string, path: string, { faults }: Checking): void {
  faults.push({ path, message });
}

function checkMember(member: Member | undefined, value: unknown, path: string, checking: Checking): void {
  check(shapeOf(member?.shape ?? '', checking.shapes), value, path, checking);
}

type Members = Readonly<Record<string, unknown>>;

function checkStructure(
  { members = {}, required = [] }: Shape,
  value: Members,
  path: string,
  checking: Checking,
) {
  for (const name of required) {
    if (value[name] === undefined || value[name] === null) {
      addFault('Member must not be null', below(path, name), checking);
    }
  }
  for (const [name, item] of Object.entries(value)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) addFault('Member is unknown', below(path, name), checking);
    else if (item !== undefined && item !== null) checkMember(member, item, below(path, name), checking);
  }
}

function checkList(shape: Shape, value: readonly unknown[], path: string, checking: Checking): void {
  checkSize('length', value.length, shape, path, checking);
  for (const [index, item] of value.entries()) {
    checkMember(shape.member, item, below(path, String(index)), checking);
  }
}

function checkMap(shape: Shape, value: Members, path: string, checking: Checking): void {
  const entries = Object.entries(value);
  checkSize('length', entries.length, shape, path, checking);
  for (const [key, item] of entries) {
    checkMember(shape.key, key, below(path, key), checking);
    checkMember(shape.value, item, below(path, key), checking);
  }
}

function checkScalar(shape: Shape, value: unknown, path: string, checking: Checking): void {
  const { type, enum: values, pattern } = shape;
  if (!isOfType(type, value)) {
    addFault(`Member must be of the type ${type}`, path, checking);
  } else if (values?.includes(String(value)) === false) {
    addFault(`Member must satisfy enum value set: [${values.join(', ')}]`, path, checking);
  } else if (typeof value === 'number') {
    checkSize('value', value, shape, path, checking);
  } else if (typeof value === 'string') {
    checkSize('length', value.length, shape, path, checking);
    const isChecked = checking.hasConstraints && pattern !== undefined;
    if (isChecked && !new RegExp(`^(?:${pattern})$`, 'u').test(value)) {
      addFault(`Member must satisfy regular expression pattern: ${pattern}`, path, checking);
    }
  }
}

function checkSize(
  what: 'length' | 'value',
  size: number,
  shape: Shape,
  path: string,
  checking: Checking,
): void {
  if (!checking.hasConstraints) return;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = shape;
  const isTooSmall = size < min;
  if (!isTooSmall && size <= max) return;
  const bound = isTooSmall ? `greater than or equal to ${min}` : `less than or equal to ${max}`;
  addFault(`Member must have ${what} ${bound}`, path, checking);
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'blob':
      return value instanceof Uint8Array;
    case 'integer':
    case 'long':
      return Number.isInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'timestamp':
      return value instanceof Date && !Number.isNaN(value.getTime());
    default:
      throw new Error(`The service model has a shape of the unknown type ${type}.`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
