/**
 * How the requests and responses of a service travel: by the protocol of the SDK's client and the SDK's schemas of the
 * operations (`RequestCertificate$`).
 */
import { parseXmlBody, XmlCodec } from '@aws-sdk/core/protocols';
import { NormalizedSchema, translateTraits } from '@smithy/core/schema';
import type { Schema, SerdeContext, StaticOperationSchema, StaticStructureSchema } from '@smithy/types';
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
import {
  type Form,
  isObject,
  JSON_FORM,
  type Members,
  membersOf,
  QUERY_FORM,
  REST_JSON_FORM,
  TEXT_FORM,
  XML_FORM,
} from './typed-input.ts';

export interface Codec {
  /** The operation that a request calls, with its input. */
  read(call: AwsRequest): OperationCall | Promise<OperationCall>;
  write(call: AwsRequest, operation: Operation, output: object | undefined): void;
  writeError(call: AwsRequest, status: number, error: AwsApiError): void;
}

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
    const [, , name, , input, output] = schemaOf(sdk, operation.name);
    const http = httpOf(sdk, operation.name);
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

function schemaOf(sdk: object, operation: string): StaticOperationSchema {
  const schema: StaticOperationSchema | undefined = Reflect.get(sdk, `${operation}$`);
  if (schema === undefined) throw new Error(`The SDK has no ${operation}.`);
  return schema;
}

/** Method, path with labels, and status of a successful response of an operation. */
export function httpOf(sdk: object, operation: string): OperationSchemas['http'] {
  const [, , , traits] = schemaOf(sdk, operation);
  return translateTraits(traits).http ?? ['POST', '/', 200];
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
      const [type, namespace, , ...rest] = found(name, service).output.getSchema() as StaticStructureSchema;
      const result = written([type, namespace, `${name}Result`, ...rest], output ?? {}, bodies);
      const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<${name}Response>${result}${metadata}</${name}Response>`);
    },
    writeError: ({ response, requestId }, status, error) => sendXmlError(response, status, error, requestId),
  };
}

/** The SDK's number of the format of times. */
const ISO_8601 = 5;

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

function written(schema: Schema, value: object, bodies: Bodies): string | Uint8Array {
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

/** What isn't XML, but the SDK's parser takes and drops: entities that don't exist, and text beside elements. */
const NOT_XML = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)|[^>]<[^/!?]|(?:<\/[^<>]*|\/)>[^<]/i;

/** Around a document, which then is all that is inside: XML has no such name. */
const AROUND = '&';

/** The content of the root element; no body is an empty element. */
async function xmlOf(body: Buffer, root: string, api: ServiceApi): Promise<unknown> {
  if (body.length === 0) return {};
  const text = String(body).trim().replaceAll(/>\s+</g, '><');
  const around = Buffer.from(`<${AROUND}>${text}</${AROUND}>`);
  const document: unknown =
    !NOT_XML.test(text) && (await parseXmlBody(around, {} as SerdeContext).catch(() => false));
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
