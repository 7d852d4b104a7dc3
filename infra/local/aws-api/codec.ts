/**
 * How the requests and responses of a service travel, by the SDK's schemas of its operations (`RequestCertificate$`) and
 * the protocol of its client. Clients drop what a schema doesn't have, and convert what doesn't fit. Here the one is
 * listed and the other is left as it is, for the checks of the input to refuse.
 */
import { parseXmlBody, XmlCodec } from '@aws-sdk/core/protocols';
import { NormalizedSchema, translateTraits } from '@smithy/core/schema';
import type { $SchemaRef, SerdeContext, StaticOperationSchema, StaticStructureSchema } from '@smithy/types';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { AwsApiError, notSupported } from './aws-api-error.ts';
import { sendJsonError, sendRestJsonError, sendXmlError } from './http-messages.ts';
import type { Operation } from './operation.ts';
import {
  type AwsRequest,
  errorNamesOf,
  type OperationCall,
  type SdkProtocol,
  type ServiceApi,
} from './service-api.ts';
import { targetOf } from './signature.ts';

export interface Codec {
  /** The operation that a request calls, with its input. */
  read(call: AwsRequest): OperationCall | Promise<OperationCall>;
  write(call: AwsRequest, operation: Operation, output: object | undefined): void;
  writeError(call: AwsRequest, status: number, error: AwsApiError): void;
}

type Members = Readonly<Record<string, unknown>>;

/** A service with the schemas of its operations, by their names. */
interface Service {
  readonly api: ServiceApi;
  readonly schemas: ReadonlyMap<string, OperationSchemas>;
  /** Such as `serviceTarget`: what precedes the operation's name in X-Amz-Target. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly protocol: SdkProtocol;
}

type Bodies = ReturnType<SdkProtocol['getPayloadCodec']>;

interface OperationSchemas {
  readonly operation: Operation;
  /** Method, path with labels, and status of a successful response; in REST protocols only. */
  readonly http: readonly [method: string, path: string, status: number];
  readonly input: NormalizedSchema;
  readonly output: NormalizedSchema;
}

/** The codec of a service, whose package of the SDK is loaded now. */
export async function codecOf(api: ServiceApi): Promise<Codec> {
  const [sdk, Client] = await api.sdk();
  const { protocol, protocolSettings: settings = {} } = new Client({ region: REGION }).config;
  const schemas = api.operations.map(operation => {
    const schema: StaticOperationSchema | undefined = Reflect.get(sdk, `${operation.name}$`);
    if (schema === undefined) throw new Error(`The SDK of ${api.title} has no ${operation.name}.`);
    const [, , name, traits, input, output] = schema;
    const { http = ['POST', '/', 200] } = translateTraits(traits);
    return [
      name,
      { operation, http, input: NormalizedSchema.of(input), output: NormalizedSchema.of(output) },
    ] as const;
  });
  const name = protocol.getShapeId().replace('aws.protocols#', '');
  const codec = CODECS[name];
  if (codec === undefined) throw new Error(`The SDK of ${api.title} speaks ${name}.`);
  return codec({ api, schemas: new Map(schemas), settings, protocol });
}

const CODECS: Readonly<Record<string, (service: Service) => Codec>> = {
  awsJson1_0: service => jsonCodec(service, 'application/x-amz-json-1.0'),
  awsJson1_1: service => jsonCodec(service, 'application/x-amz-json-1.1'),
  awsQuery: queryCodec,
  restJson1: restJsonCodec,
  restXml: restXmlCodec,
};

/** `POST /` with the header `X-Amz-Target: CertificateManager.RequestCertificate`. */
function jsonCodec(service: Service, contentType: string): Codec {
  const { serviceTarget } = service.settings;
  const bodies = service.protocol.getPayloadCodec();
  return {
    read({ body, request }) {
      const target = String(request.headers['x-amz-target']).replace(`${serviceTarget}.`, '');
      const { operation, input } = found(target, service);
      return { operation, ...membersOf(input, jsonOf(body, service.api), JSON_FORM) };
    },
    write({ response }, { name }, output) {
      const { output: schema } = found(name, service);
      response.writeHead(200, { 'content-type': contentType }).end(written(schema, output ?? {}, bodies));
    },
    writeError: ({ response }, status, error) => sendJsonError(response, status, error, contentType),
  };
}

/** `Action=DescribeStacks&Version=2010-05-15&StackName=…` in the body or, of a GET, in the query. */
function queryCodec(service: Service): Codec {
  const { api } = service;
  const { version, xmlNamespace } = service.settings;
  // The protocol's own codec is for requests.
  const bodies = new XmlCodec({
    timestampFormat: { useTrait: true, default: ISO_8601 },
    xmlNamespace: String(xmlNamespace),
    serviceNamespace: '',
  });
  return {
    read({ body, request }) {
      const parameters =
        request.method === 'GET' ? targetOf(request).parameters : new URLSearchParams(String(body));
      const { Action = '', Version, ...given } = Object.fromEntries(parameters);
      if (Version !== version) throw notSupported(`Version ${Version} of the ${api.title} API`);
      const { operation, input } = found(Action, service);
      const ofSignature = (name: string) => name.startsWith('X-Amz-');
      const members = Object.entries(given).filter(([name]) => !ofSignature(name));
      return { operation, ...membersOf(input, nested(members), QUERY_FORM) };
    },
    write({ response, requestId }, { name }, output) {
      const { output: schema } = found(name, service);
      const metadata = struct('ResponseMetadata', { RequestId: 0 });
      const envelope = struct(`${name}Response`, {
        [`${name}Result`]: schema.getSchema(),
        ResponseMetadata: metadata,
      });
      const content = { [`${name}Result`]: output, ResponseMetadata: { RequestId: requestId } };
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(written(NormalizedSchema.of(envelope), content, bodies));
    },
    writeError: ({ response, requestId }, status, error) => sendXmlError(response, status, error, requestId),
  };
}

/** The SDK's number of the format of times. */
const ISO_8601 = 5;

/** A structure of the protocol, which no service's model has. */
function struct(name: string, members: Readonly<Record<string, $SchemaRef>>): StaticStructureSchema {
  return [3, '', name, 0, Object.keys(members), Object.values(members)];
}

/** `POST /apikeys {"name": "…"}`. */
function restJsonCodec(service: Service): Codec {
  return {
    ...restCodec(service, 'application/json', REST_JSON_FORM, body => jsonOf(body, service.api)),
    writeError({ response }, status, error) {
      const { retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      sendRestJsonError(response, status, error);
    },
  };
}

/** `POST /2013-04-01/hostedzone <CreateHostedZoneRequest>…`. */
function restXmlCodec(service: Service): Codec {
  return {
    ...restCodec(service, 'text/xml', XML_FORM, (body, root) => xmlOf(body, root, service.api)),
    writeError: ({ response, requestId }, status, error) => sendXmlError(response, status, error, requestId),
  };
}

/** The operation is found by method and path, and its input is merged from path, query, headers and body. */
function restCodec(
  service: Service,
  contentType: string,
  form: Form,
  contentOf: (body: Buffer, root: string) => unknown,
): Pick<Codec, 'read' | 'write'> {
  const { api, schemas } = service;
  const bodies = service.protocol.getPayloadCodec();
  const routes = [...schemas.values()].map(schema => {
    const [method, path] = schema.http;
    return { ...schema, method, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
  });
  return {
    async read({ request, body }) {
      const target = targetOf(request);
      const path = target.path.replace(/\/$/, '');
      const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
      if (route === undefined) throw notSupported(`${request.method} ${path} of the ${api.title} API`);
      const { operation, method, pattern, input } = route;
      const labels = pattern.exec(path)?.groups ?? {};
      const queried = new Set(target.parameters.keys());
      const texts: Record<string, unknown> = {};
      let payload: object | undefined;
      for (const [name, member] of input.structIterator()) {
        const { httpLabel, httpQuery, httpHeader, httpPayload } = member.getMergedTraits();
        if (httpPayload) payload = { [name]: body };
        else if (httpLabel) texts[name] = decoded(labels[name] ?? '', api);
        else if (httpHeader) texts[name] = request.headers[httpHeader.toLowerCase()];
        else if (httpQuery) {
          const [first, ...rest] = target.parameters.getAll(httpQuery);
          texts[name] = rest.length > 0 ? [first, ...rest] : first;
          queried.delete(httpQuery);
        }
      }
      if (queried.size > 0) {
        throw notSupported(`The parameter ${[...queried].join(', ')} of the ${api.title} API`);
      }
      const inBody = membersOf(input, payload ?? (await contentOf(body, `${operation.name}Request`)), form);
      const misplaced = Object.keys(texts).filter(name => name in inBody.input);
      const elsewhere = Object.entries(membersOf(input, texts, TEXT_FORM).input);
      return {
        operation,
        input: {
          ...inBody.input,
          ...Object.fromEntries(elsewhere.filter(([, value]) => value !== undefined)),
        },
        unknownMembers: [...inBody.unknownMembers, ...misplaced],
        permission: api.permission?.(method, decoded(path, api)),
      };
    },
    write({ response }, { name }, output) {
      const { http, output: schema } = found(name, service);
      const headers: Record<string, string> = {};
      const members: Record<string, unknown> = { ...output };
      let [, , status] = http;
      let body: unknown;
      for (const [member, { httpHeader, httpResponseCode, httpPayload }] of traitsOf(schema)) {
        const value = members[member];
        if (!httpHeader && !httpResponseCode && !httpPayload) continue;
        delete members[member];
        if (httpPayload) body = value ?? '';
        else if (httpResponseCode) status = Number(value ?? status);
        else if (value !== undefined) headers[String(httpHeader)] = String(value);
      }
      body ??= output === undefined ? '' : written(schema, members, bodies);
      response
        .writeHead(status, { ...(body !== '' && { 'content-type': contentType }), ...headers })
        .end(body);
    },
  };
}

function traitsOf(schema: NormalizedSchema) {
  return [...schema.structIterator()].map(([name, member]) => [name, member.getMergedTraits()] as const);
}

function found(name: string, { api, schemas }: Service): OperationSchemas {
  const schema = schemas.get(name);
  if (schema === undefined) throw notSupported(`${name} of the ${api.title} API`);
  return schema;
}

function written(schema: NormalizedSchema, value: object, bodies: Bodies): string | Uint8Array {
  const serializer = bodies.createSerializer();
  serializer.write(schema, value);
  return serializer.flush();
}

/** Clients encode what is reserved in paths: API Gateway's base path (none) is %28none%29. */
function decoded(text: string, api: ServiceApi): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable('Invalid request path', api);
  }
}

function unreadable(message: string, api: ServiceApi): AwsApiError {
  return new AwsApiError(errorNamesOf(api).unreadableRequest, message);
}

/** The object in a body; no body is an empty object. */
function jsonOf(body: Buffer, api: ServiceApi): object {
  try {
    const content: unknown = body.length === 0 ? {} : JSON.parse(String(body));
    if (isObject(content)) return content;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw unreadable('The request body is not a JSON object.', api);
}

/** Around a document, which then is all that is inside: XML has no such name. */
const AROUND = '&';

/** The content of the root element; no body is an empty element. */
async function xmlOf(body: Buffer, root: string, api: ServiceApi): Promise<unknown> {
  if (body.length === 0) return {};
  const text = String(body);
  // The SDK's parser drops entities that XML doesn't have.
  const isXml = !/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text);
  const around = Buffer.from(`<${AROUND}>${text}</${AROUND}>`);
  const document: unknown = isXml && (await parseXmlBody(around, {} as SerdeContext).catch(() => false));
  if (document === false) throw unreadable('Invalid XML', api);
  if (!isObject(document) || Object.keys(document).join() !== root) {
    throw unreadable(`Invalid XML ; the root element is not ${root}`, api);
  }
  const content = document[root];
  if (isObject(content)) {
    const { xmlns: _, ...members } = content;
    return members;
  }
  if (String(content).trim() !== '') throw unreadable(`Invalid XML ; ${root} has text`, api);
  return {};
}

/** The members of a form as objects in objects: `Tags.member.1.Key` is `{ Tags: { member: { 1: { Key } } } }`. */
function nested(members: readonly (readonly [name: string, value: string])[]): Members {
  const content: Record<string, unknown> = Object.create(null);
  for (const [name, value] of members) {
    const steps = name.split('.');
    const last = steps.pop() ?? '';
    let place = content;
    for (const step of steps) {
      if (!isObject(place[step])) place[step] = Object.create(null);
      place = place[step] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return content;
}

/** How values are written. */
interface Form {
  /** Whether numbers, flags and times are texts. */
  readonly isText: boolean;
  nameOf(member: NormalizedSchema, name: string): string;
  /** The items of a list. What is no list is left as it is. */
  itemsOf(list: NormalizedSchema, given: unknown): unknown;
}

const JSON_FORM: Form = {
  isText: false,
  nameOf: (_, name) => name,
  itemsOf: (_, given) => given,
};

const REST_JSON_FORM: Form = {
  ...JSON_FORM,
  nameOf: (member, name) => member.getMergedTraits().jsonName ?? name,
};

/** Of members in paths, queries and headers. */
const TEXT_FORM: Form = { isText: true, nameOf: (_, name) => name, itemsOf: (_, given) => [given].flat() };

/** `<Changes><Change>…</Change><Change>…</Change></Changes>`. */
const XML_FORM: Form = {
  isText: true,
  nameOf: (member, name) => member.getMemberTraits().xmlName ?? name,
  itemsOf(list, given) {
    const item = list.getValueSchema().getMergedTraits().xmlName ?? 'member';
    if (given === '') return [];
    return isObject(given) && Object.keys(given).join() === item ? [given[item]].flat() : given;
  },
};

/** `Tags.member.1=…&Tags.member.2=…`. */
const QUERY_FORM: Form = {
  ...XML_FORM,
  itemsOf(list, given) {
    const [items] = [XML_FORM.itemsOf(list, given)].flat();
    return isObject(items) ? Object.values(items) : given;
  },
};

interface Reading extends Form {
  /** Members that a schema doesn't have, with their paths: `ChangeBatch.Colour`. */
  readonly unknownMembers: string[];
}

/** The members of a structure, with those that it doesn't have. */
function membersOf(schema: NormalizedSchema, given: unknown, form: Form) {
  const unknownMembers: string[] = [];
  return { input: read(schema, given, '', { ...form, unknownMembers }) as object, unknownMembers };
}

function read(schema: NormalizedSchema, given: unknown, path: string, reading: Reading): unknown {
  if (given === undefined || given === null) return given;
  if (schema.isListSchema()) {
    const items = reading.itemsOf(schema, given);
    if (!Array.isArray(items)) return items;
    return items.map((item, index) => read(schema.getValueSchema(), item, `${path}${index}.`, reading));
  }
  const isMap = schema.isMapSchema();
  if (!isMap && !schema.isStructSchema()) return readScalar(schema, given, reading.isText);
  // An element without content is an empty structure.
  const object = reading.isText && given === '' ? {} : given;
  if (!isObject(object)) return object;
  const entries = Object.entries(object);
  if (isMap) {
    const value = schema.getValueSchema();
    return Object.fromEntries(
      entries.map(([key, item]) => [key, read(value, item, `${path}${key}.`, reading)]),
    );
  }
  const members = new Map(
    [...schema.structIterator()].map(([name, member]) => [reading.nameOf(member, name), { name, member }]),
  );
  return Object.fromEntries(
    entries.flatMap(([key, item]) => {
      const known = members.get(key);
      if (known !== undefined) {
        return [[known.name, read(known.member, item, `${path}${known.name}.`, reading)]];
      }
      reading.unknownMembers.push(`${path}${key}`);
      return [];
    }),
  );
}

/** A value that isn't of the type of its schema is left as it is. */
function readScalar(schema: NormalizedSchema, given: unknown, isText: boolean): unknown {
  if (schema.isTimestampSchema()) {
    const time = new Date(isText ? String(given) : typeof given === 'number' ? given * 1000 : Number.NaN);
    return Number.isNaN(time.getTime()) ? given : time;
  }
  if (typeof given !== 'string') return given;
  if (schema.isBlobSchema()) return Buffer.from(given, 'base64');
  if (!isText) return given;
  if (schema.isBooleanSchema()) return given === 'true' || (given === 'false' ? false : given);
  return schema.isNumericSchema() && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
