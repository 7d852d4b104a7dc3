/**
 * The shapes, constraints and errors of a service, from AWS's own service model (models/<service>.json). A file is read
 * when the first operation of its service is performed, and the checks of an operation are compiled when it is.
 */
import { readFileSync } from 'node:fs';
import { compiledShape, type Fault, type Shapes } from './shape-check.ts';

/** What a service model says about an operation. */
export interface OperationModel {
  readonly method: string;
  readonly uri: string;
  readonly status: number;
  /**
   * The errors of the operation itself, beside those that every operation of the service can answer with, and the HTTP
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

export type ServiceModelName = 'acm' | 'apigateway' | 'events' | 'logs' | 'route53' | 'stepfunctions';

/** The content of a model's file. */
export interface ServiceModelContent {
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

export function readModel(name: ServiceModelName): ServiceModelContent {
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
