import { request as httpRequest } from 'node:http';
import { NormalizedSchema } from '@smithy/core/schema';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { acmApi } from '../../acm/acm-service.ts';
import { Certificates } from '../../acm/certificates.ts';
import type { Issuance } from '../../acm/issuance.ts';
import { apiGatewayApi } from '../../apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../apigateway-control/api-keys.ts';
import { DomainNames } from '../../apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../apigateway-control/rest-api-operations.ts';
import { AwsApiError } from '../../aws-api/aws-api-error.ts';
import { codecService } from '../../aws-api/codec-service.ts';
import { jsonService } from '../../aws-api/json-protocol.ts';
import type { Operation } from '../../aws-api/operation.ts';
import { restJsonService, restXmlService } from '../../aws-api/rest-protocol.ts';
import type { AwsService, ServiceApi } from '../../aws-api/service-api.ts';
import { eventsApi } from '../../events/events-service.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import type { LambdaFunctions } from '../../lambda/functions.ts';
import { lambdaApi } from '../../lambda/lambda-service.ts';
import type { LogGroups } from '../../logs/log-groups.ts';
import { logsApi } from '../../logs/logs-service.ts';
import { HostedZones } from '../../route53/hosted-zones.ts';
import { route53Api } from '../../route53/route53-service.ts';
import { Secrets, secretsManagerApi } from '../../secrets.ts';
import type { Executions } from '../../stepfunctions/executions.ts';
import { stepFunctionsApi } from '../../stepfunctions/step-functions-service.ts';
import { serveEndpoint } from './served-endpoint.ts';

interface Compared<Api extends ServiceApi = ServiceApi> {
  readonly api: Api;
  readonly scope: string;
  readonly isText: boolean;
  old(api: Api): AwsService;
}

const compared = <Api extends ServiceApi>(entry: Compared<Api>) => entry as unknown as Compared;
const json = { old: jsonService, isText: false };

const ALL = [
  compared({
    ...json,
    scope: 'acm',
    api: acmApi({
      certificates: new Certificates(),
      issuance: {} as Issuance,
      inUseBy: () => [],
      now: Date.now,
    }),
  }),
  compared({
    old: restJsonService,
    isText: true,
    scope: 'apigateway',
    api: apiGatewayApi({
      restApis: () => undefined,
      restApiSettings: new RestApiSettings(),
      apiKeys: new ApiKeys(),
      domainNames: new DomainNames(),
      findCertificate: () => undefined,
    }),
  }),
  compared({ ...json, scope: 'events', api: eventsApi({ accept: () => {} }) }),
  compared({
    old: restJsonService,
    isText: true,
    scope: 'lambda',
    api: lambdaApi({} as LambdaFunctions, new AsynchronousInvocations(1)),
  }),
  compared({
    ...json,
    scope: 'logs',
    api: logsApi({ logGroups: {} as LogGroups, waitScale: 1, now: Date.now }),
  }),
  compared({
    old: restXmlService,
    isText: true,
    scope: 'route53',
    api: route53Api({ hostedZones: new HostedZones() }),
  }),
  compared({ ...json, scope: 'secretsmanager', api: secretsManagerApi(new Secrets()) }),
  compared({ ...json, scope: 'states', api: stepFunctionsApi({ executions: {} as Executions }) }),
];

const CASES = ALL.flatMap(entry =>
  entry.api.operations.map(operation => [`${entry.api.title} ${operation.name}`, entry, operation] as const),
);

/** Members that the old protocols know no list item or header for. */
const NOT_BOUND = new Set(['VPCs', 'DurableExecutionArn']);

/** A value of a schema, with all members up to a depth. */
function sample(schema: NormalizedSchema, depth = 0): unknown {
  if (schema.isMemberSchema() && NOT_BOUND.has(schema.getMemberName())) return undefined;
  if (schema.isStructSchema()) {
    if (depth > 6) return undefined;
    const members = [...schema.structIterator()].map(([name, member]) => [name, sample(member, depth + 1)]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }
  if (schema.isListSchema()) {
    const item = sample(schema.getValueSchema(), depth + 1);
    return item === undefined ? undefined : [item, item];
  }
  if (schema.isMapSchema()) return { 'a key': sample(schema.getValueSchema(), depth + 1) };
  if (schema.isTimestampSchema()) return new Date(1_700_000_000_000);
  if (schema.isBooleanSchema()) return true;
  if (schema.isNumericSchema()) return 207;
  if (schema.isBlobSchema()) return Buffer.from('"blob"');
  return 'x <&> "é" (none)';
}

/** As the old protocols take outputs: times are seconds, or texts in XML. */
function oldOutput(value: unknown, isXml: boolean): unknown {
  if (value instanceof Date) return isXml ? value.toISOString() : value.getTime() / 1000;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(item => oldOutput(item, isXml));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'Payload' ? String(item) : oldOutput(item, isXml),
    ]),
  );
}

/** As the old protocols read inputs: times are seconds, and REST protocols have texts. */
function oldInput(value: unknown, isText: boolean): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (Buffer.isBuffer(value)) return String(value);
  if (Array.isArray(value)) return value.map(item => oldInput(item, isText));
  if (typeof value !== 'object' || value === null) return isText ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, oldInput(item, isText)]),
  );
}

/** Serves one operation that takes every input, and sends the input to it by the SDK's client. */
async function exchanged(
  { api, scope }: Compared,
  serve: (api: ServiceApi) => AwsService,
  operation: Operation,
  input: object,
  respond: () => unknown,
) {
  const [sdk, Client] = (await api.sdk()) as unknown as [
    Record<string, new (input: object) => object>,
    new (options: object) => { send(command: object): Promise<object>; destroy(): void },
  ];
  const received: unknown[] = [];
  const stub: Operation = {
    ...operation,
    input: z.unknown(),
    rate: () => undefined,
    perform: given => {
      received.push(given);
      return respond();
    },
  };
  const permissions: string[] = [];
  const { endpoint, clientOptions } = await serveEndpoint(
    {
      [scope]: serve({
        ...api,
        rate: () => undefined,
        operations: [stub],
        model: () => ({ shapes: {}, operation: () => undefined }),
      }),
    },
    {
      denial: (action, resource) => {
        permissions.push(`${action} ${resource}`);
        return undefined;
      },
    },
  );
  const raw: unknown[] = [];
  const proxied = await import('node:http').then(({ createServer }) =>
    createServer(async (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const sent = httpRequest(new URL(String(url), endpoint), { method, headers } as object, response => {
        response.toArray().then(chunks => {
          const text = String(Buffer.concat(chunks as Buffer[]));
          const { date: _, 'x-amzn-requestid': requestId, ...rest } = response.headers;
          raw.push({
            status: response.statusCode,
            headers: rest,
            text: text.replaceAll(String(requestId), 'ID'),
          });
          outgoing
            .writeHead(Number(response.statusCode), response.headers)
            .end(Buffer.concat(chunks as Buffer[]));
        });
      });
      incoming.pipe(sent);
    }),
  );
  await new Promise<void>(resolve => proxied.listen(0, '127.0.0.1', resolve));
  const { port } = proxied.address() as { port: number };
  const client = new Client({ ...clientOptions, endpoint: `http://127.0.0.1:${port}` });
  const Command = sdk[`${operation.name}Command`] as new (input: object) => object;
  const output = await client.send(new Command(input)).then(
    ({ $metadata: _, ...members }: { $metadata?: unknown }) => members,
    ({ name, message, $metadata, retryAfterSeconds }) => ({
      name,
      message,
      status: $metadata?.httpStatusCode,
      retryAfterSeconds,
    }),
  );
  client.destroy();
  proxied.close();
  return { received, permissions, output, raw };
}

async function both(entry: Compared, operation: Operation, input: object, output: unknown) {
  const isXml = entry.scope === 'route53';
  const respond = (value: unknown) => () => {
    if (value instanceof AwsApiError) throw value;
    return value;
  };
  const isError = output instanceof AwsApiError;
  const before = await exchanged(
    entry,
    entry.old,
    operation,
    input,
    respond(isError ? output : oldOutput(output, isXml)),
  );
  const after = await exchanged(entry, codecService, operation, input, respond(output));
  return { before, after };
}

async function schemasOf({ api }: Compared, { name, input }: Operation) {
  const [sdk] = await api.sdk();
  const [, , , , inputRef, outputRef] = Reflect.get(sdk, `${name}$`);
  const listed = Object.keys((input as z.ZodObject).shape);
  const all = sample(NormalizedSchema.of(inputRef)) as object;
  const given = Object.fromEntries(Object.entries(all).filter(([member]) => listed.includes(member)));
  return { given, output: NormalizedSchema.of(outputRef) };
}

test.each(CASES)('%s reads and writes the same', async (_, entry, operation) => {
  const { given, output: schema } = await schemasOf(entry, operation);
  const output = schema.isUnitSchema() ? undefined : sample(schema);
  const { before, after } = await both(entry, operation, given, output ?? (entry.isText ? undefined : {}));
  expect(oldInput(after.received, entry.isText)).toEqual(oldInput(before.received, entry.isText));
  expect(after.permissions).toEqual(before.permissions);
  expect(after.output).toEqual(before.output);
  // XML differs in its declaration, and in what is escaped.
  if (entry.scope !== 'route53') expect(after.raw).toEqual(before.raw);
});

test.each(CASES)('%s sends the same errors', async (_, entry, operation) => {
  const { given } = await schemasOf(entry, operation);
  const [name = 'ThrottlingException'] = Object.keys(entry.api.statusByError ?? {});
  const error = new AwsApiError(name, 'No <more> & "so"', { retryAfterSeconds: 3 });
  const { before, after } = await both(entry, operation, given, error);
  expect(after.output).toEqual(before.output);
  if (entry.scope !== 'route53') expect(after.raw).toEqual(before.raw);
});
