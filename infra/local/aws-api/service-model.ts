/**
 * The shapes, constraints and errors of a service, from AWS's own service model (models/<service>.json). A file is read
 * when the first operation of its service is performed, and the checks of an operation are compiled when it is.
 */
import { readFileSync } from 'node:fs';

/** What a service model says about an operation. */
export interface OperationModel {
  readonly method: string;
  readonly uri: string;
  readonly status: number;
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

type ServiceModelName = 'acm' | 'apigateway' | 'events' | 'logs' | 'route53' | 'stepfunctions';

/** The content of a model's file. */
interface ServiceModelContent {
  /** `rest-xml` carries every value as text. */
  readonly protocol: string;
  readonly operations: Readonly<Record<string, OperationContent>>;
  readonly shapes: Shapes;
}

interface OperationContent {
  readonly method: string;
  readonly uri: string;
  readonly responseCode?: number;
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

export function serviceModel(content: ServiceModelContent): ServiceModel {
  const compiled = new Map<string, OperationModel>();
  return {
    shapes: content.shapes,
    operation(name) {
      const known = compiled.get(name);
      if (known !== undefined) return known;
      const operation = content.operations[name];
      if (operation === undefined) return undefined;
      const model = operationModel(operation, content);
      compiled.set(name, model);
      return model;
    },
  };
}

function operationModel(
  { method, uri, responseCode: status = 200, input, output, errors }: OperationContent,
  { shapes, protocol }: ServiceModelContent,
): OperationModel {
  const isText = protocol === 'rest-xml';
  return {
    method,
    uri,
    status,
    errors: new Map(errors.map(({ name, httpStatus }) => [name, httpStatus])),
    inputFaults: compiledShape(input, shapes, { isText, hasConstraints: true }),
    outputFaults: compiledShape(output, shapes, { isText, hasConstraints: false }),
  };
}

export type Shapes = Readonly<Record<string, Shape>>;

export interface Member {
  readonly shape: string;
  /** Where the member travels, if not in the body: `uri`, `querystring`, `header`. Such a value is text. */
  readonly location?: string;
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
  /** Whether numbers and booleans are written as text. */
  readonly isText: boolean;
  /**
   * Whether lengths, ranges and patterns are checked. In responses they are not: AWS itself returns ids that are
   * longer than their shape, such as /hostedzone/Z….
   */
  readonly hasConstraints: boolean;
}

type Check = (value: unknown, path: string, faults: Fault[]) => void;

/** The check of a shape by its name. Without a shape, only nothing or an empty object passes. */
export function compiledShape(
  name: string | undefined,
  shapes: Shapes,
  options: CheckOptions,
): (value: unknown) => readonly Fault[] {
  const check = shapeCheck(
    name === undefined ? { type: 'structure' } : shapeOf(name, shapes),
    shapes,
    options,
  );
  return value => {
    const faults: Fault[] = [];
    check(value ?? {}, '', faults);
    return faults;
  };
}

function shapeOf(name: string, shapes: Shapes): Shape {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`The service model has no shape ${name}.`);
  return shape;
}

function shapeCheck(shape: Shape, shapes: Shapes, options: CheckOptions): Check {
  switch (shape.type) {
    case 'structure':
      return structureCheck(shape, shapes, options);
    case 'list':
      return listCheck(shape, shapes, options);
    case 'map':
      return mapCheck(shape, shapes, options);
    default:
      return scalarCheck(shape, options);
  }
}

/** Shapes may contain themselves, so the check of a member is compiled when a value first has the member. */
function memberCheck({ shape, location }: Member, shapes: Shapes, options: CheckOptions): Check {
  let compiled: Check | undefined;
  return (value, path, faults) => {
    const isText = options.isText || location !== undefined;
    compiled ??= shapeCheck(shapeOf(shape, shapes), shapes, { ...options, isText });
    compiled(value, path, faults);
  };
}

function structureCheck(
  { members = {}, required = [] }: Shape,
  shapes: Shapes,
  options: CheckOptions,
): Check {
  const checks = new Map(
    Object.entries(members).map(([name, member]) => [name, memberCheck(member, shapes, options)]),
  );
  return (value, path, faults) => {
    if (!isObject(value)) {
      faults.push({ path, message: 'Member must be an object' });
      return;
    }
    for (const name of required) {
      if (value[name] === undefined || value[name] === null) {
        faults.push({ path: below(path, name), message: 'Member must not be null' });
      }
    }
    for (const [name, member] of Object.entries(value)) {
      const check = checks.get(name);
      if (check === undefined) faults.push({ path: below(path, name), message: 'Member is unknown' });
      else if (member !== undefined && member !== null) check(member, below(path, name), faults);
    }
  };
}

function listCheck(shape: Shape, shapes: Shapes, options: CheckOptions): Check {
  const check = memberCheck(shape.member ?? { shape: '' }, shapes, options);
  return (value, path, faults) => {
    if (!Array.isArray(value)) {
      faults.push({ path, message: 'Member must be a list' });
      return;
    }
    if (options.hasConstraints) checkLength(value.length, shape, path, faults);
    for (const [index, item] of value.entries()) check(item, below(path, String(index)), faults);
  };
}

function mapCheck(shape: Shape, shapes: Shapes, options: CheckOptions): Check {
  const checkKey = memberCheck(shape.key ?? { shape: '' }, shapes, options);
  const checkValue = memberCheck(shape.value ?? { shape: '' }, shapes, options);
  return (value, path, faults) => {
    if (!isObject(value)) {
      faults.push({ path, message: 'Member must be an object' });
      return;
    }
    const entries = Object.entries(value);
    if (options.hasConstraints) checkLength(entries.length, shape, path, faults);
    for (const [key, item] of entries) {
      checkKey(key, below(path, key), faults);
      checkValue(item, below(path, key), faults);
    }
  };
}

function scalarCheck(shape: Shape, { isText, hasConstraints }: CheckOptions): Check {
  const values = shape.enum && new Set(shape.enum);
  const pattern = shape.pattern === undefined ? undefined : new RegExp(`^(?:${shape.pattern})$`, 'u');
  return (given, path, faults) => {
    const value = isText ? readText(shape.type, given) : given;
    if (!isOfType(shape.type, value)) {
      faults.push({ path, message: `Member must be of the type ${shape.type}` });
    } else if (values !== undefined && !values.has(String(value))) {
      faults.push({ path, message: `Member must satisfy enum value set: [${[...values].join(', ')}]` });
    } else if (hasConstraints && typeof value === 'number') {
      checkRange(value, shape, path, faults);
    } else if (hasConstraints && typeof value === 'string') {
      checkLength(value.length, shape, path, faults);
      if (pattern?.test(value) === false) {
        const message = `Member must satisfy regular expression pattern: ${shape.pattern}`;
        faults.push({ path, message });
      }
    }
  };
}

/** The value that a text stands for, by the type of its shape. A text that is none stays one. */
function readText(type: string, given: unknown): unknown {
  if (type === 'string') return typeof given === 'object' ? given : String(given);
  if (typeof given !== 'string') return given;
  if (type === 'boolean') return { true: true, '1': true, false: false, '0': false }[given] ?? given;
  return /^-?\d+$/.test(given) ? Number(given) : given;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
    case 'long':
      return Number.isInteger(value);
    case 'timestamp':
      return typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(Date.parse(value)));
    default:
      throw new Error(`The service model has a shape of the unknown type ${type}.`);
  }
}

function checkLength(length: number, { min, max }: Shape, path: string, faults: Fault[]): void {
  if (min !== undefined && length < min) {
    faults.push({ path, message: `Member must have length greater than or equal to ${min}` });
  }
  if (max !== undefined && length > max) {
    faults.push({ path, message: `Member must have length less than or equal to ${max}` });
  }
}

function checkRange(value: number, { min, max }: Shape, path: string, faults: Fault[]): void {
  if (min !== undefined && value < min) {
    faults.push({ path, message: `Member must have value greater than or equal to ${min}` });
  }
  if (max !== undefined && value > max) {
    faults.push({ path, message: `Member must have value less than or equal to ${max}` });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
