/**
 * Writes the service models beside it: `node infra/local/aws-api/models/write-models.ts <folder of AWS models>`.
 *
 * The folder has a file `<service>.json` for each service: AWS's model as botocore publishes it
 * (`botocore/data/<service>/<version>/service-2.json`), or an extract of it. Only the operations below, the shapes that
 * they reach, and what the checks of shapes read are kept. A model whose service has no file in the folder stays as it is.
 * The models here are those of botocore 1.43.11; that of Secrets Manager is of 1.29.27.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Member, Shape } from '../service-model.ts';

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  acm: [
    'RequestCertificate',
    'DescribeCertificate',
    'DeleteCertificate',
    'ListCertificates',
    'ListTagsForCertificate',
  ],
  apigateway: [
    'CreateDomainName',
    'GetDomainName',
    'GetDomainNames',
    'UpdateDomainName',
    'DeleteDomainName',
    'CreateBasePathMapping',
    'GetBasePathMapping',
    'GetBasePathMappings',
    'UpdateBasePathMapping',
    'DeleteBasePathMapping',
    'CreateApiKey',
    'GetApiKeys',
    'DeleteApiKey',
    'CreateUsagePlanKey',
    'GetUsagePlanKeys',
    'FlushStageAuthorizersCache',
  ],
  events: ['PutEvents'],
  logs: ['DescribeLogGroups', 'FilterLogEvents', 'StartQuery', 'GetQueryResults', 'StopQuery'],
  route53: [
    'ChangeResourceRecordSets',
    'ListResourceRecordSets',
    'GetHostedZone',
    'ListHostedZones',
    'CreateHostedZone',
    'DeleteHostedZone',
  ],
  secretsmanager: ['GetSecretValue', 'PutSecretValue'],
  stepfunctions: ['StartExecution', 'StopExecution', 'DescribeExecution', 'ListExecutions'],
};

/** A published model names a shape by an object, an extract by its name. */
type ShapeName = string | { readonly shape: string };

interface SourceOperation {
  readonly input?: ShapeName;
  readonly output?: ShapeName;
  readonly errors?: readonly { shape?: string; name?: string; httpStatus?: number }[];
}

interface SourceShape extends Shape {
  readonly error?: { readonly httpStatusCode?: number };
}

interface SourceModel {
  readonly operations: Readonly<Record<string, SourceOperation>>;
  readonly shapes: Readonly<Record<string, SourceShape>>;
}

const [, script = '', folder] = process.argv;
if (folder === undefined) {
  process.stderr.write(`Usage: node ${basename(script)} <folder of AWS models>\n`);
  process.exit(2);
}
for (const [service, names] of Object.entries(OPERATIONS)) {
  const source = join(folder, `${service}.json`);
  const target = join(import.meta.dirname, `${service}.json`);
  if (existsSync(source)) writeFileSync(target, modelFile(JSON.parse(readFileSync(source, 'utf8')), names));
  else process.stderr.write(`${source} does not exist: ${service}.json stays as it is.\n`);
}

/** One line for each operation and shape, so that a new version of AWS's model is easy to compare. */
function modelFile(source: SourceModel, names: readonly string[]): string {
  const operations = Object.fromEntries(names.map(name => [name, operationOf(source, name)]));
  const shapes: Record<string, object> = {};
  for (const { input, output } of Object.values(operations)) {
    for (const name of [input, output]) addShape(source, name, shapes);
  }
  return `{
  "generated": "by write-models.ts from AWS's service model: do not edit",
  "operations": ${entryPerLine(operations)},
  "shapes": ${entryPerLine(shapes)}
}
`;
}

function entryPerLine(object: object): string {
  const lines = Object.entries(object)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}

function operationOf({ operations, shapes }: SourceModel, name: string) {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`The model has no operation ${name}.`);
  const { errors = [] } = operation;
  return {
    input: shapeName(operation.input),
    output: shapeName(operation.output),
    errors: errors.map(({ name: error, shape = '', httpStatus }) => ({
      name: error ?? shape,
      httpStatus: httpStatus ?? shapes[shape]?.error?.httpStatusCode,
    })),
  };
}

function shapeName(name: ShapeName | undefined): string | undefined {
  return typeof name === 'object' ? name.shape : name;
}

/** Adds a shape and all that it consists of. */
function addShape(source: SourceModel, name: string | undefined, added: Record<string, object>): void {
  if (name === undefined || name in added) return;
  const shape = source.shapes[name];
  if (shape === undefined) throw new Error(`The model has no shape ${name}.`);
  const { required, members, member, key, value, min, max, pattern, enum: values } = shape;
  const read = (part: Member | undefined) => part && { shape: part.shape };
  added[name] = {
    // A text in botocore, a number in the SDK.
    type: name === 'PageMaxItems' ? 'integer' : shape.type,
    required,
    members: members && Object.fromEntries(Object.entries(members).map(([part, of]) => [part, read(of)])),
    member: read(member),
    key: read(key),
    value: read(value),
    min,
    max,
    pattern,
    enum: values,
  };
  for (const part of [...Object.values(members ?? {}), member, key, value])
    addShape(source, part?.shape, added);
}
