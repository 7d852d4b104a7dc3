import {
  AwsJson1_0Protocol,
  AwsQueryProtocol,
  AwsRestJsonProtocol,
  AwsRestXmlProtocol,
} from '@aws-sdk/core/protocols';
import type { $SchemaRef, StaticListSchema, StaticOperationSchema } from '@smithy/types';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { awsService } from '../../aws-api/aws-service.ts';
import type { Operation } from '../../aws-api/operation.ts';
import type { SdkProtocol } from '../../aws-api/service-api.ts';
import {
  sdkOf,
  serveApi,
  structure,
  type TestRequest,
  ZOO,
  ZOO_NAMESPACE,
} from '../../testing/served-endpoint.ts';

const PETS: StaticListSchema = [1, 'zoo', 'Pets', 0, [structure('Pet', { Name: 0 }), { xmlName: 'Pet' }]];
const BODY: Readonly<Record<string, $SchemaRef>> = {
  Legs: 1,
  IsTame: 2,
  BornAt: 4,
  Friends: [PETS, { jsonName: 'friend' }],
  Tags: [2, 'zoo', 'Tags', 0, 0, 0],
};

const KEEP_PET: StaticOperationSchema = [
  9,
  'zoo',
  'KeepPet',
  { http: ['POST', '/v1/cages/{Cage}', 201] },
  structure('KeepPetRequest', {
    Cage: [0, { httpLabel: 1 }],
    Limit: [1, { httpQuery: 'limit' }],
    Keeper: [0, { httpHeader: 'X-Keeper' }],
    ...BODY,
  }),
  structure('KeepPetResponse', { Keeper: [0, { httpHeader: 'X-Keeper' }], ...BODY }),
];

/** What the local AWS supports of the operation. */
const Keeping = z.strictObject({
  Cage: z.string(),
  Limit: z.number().optional(),
  Keeper: z.string().optional(),
  Legs: z.number().optional(),
  IsTame: z.boolean().optional(),
  BornAt: z.date().optional(),
  Friends: z.array(z.strictObject({ Name: z.string() })).optional(),
  Tags: z.record(z.string(), z.string()).optional(),
});

/** A service with one operation, which returns its input, and the inputs that it took. */
async function servedIn(protocol: SdkProtocol) {
  const inputs: unknown[] = [];
  const keepPet: Operation<typeof Keeping> = {
    name: 'KeepPet',
    input: Keeping,
    perform(input) {
      inputs.push(input);
      return input;
    },
  };
  const sdk = () => sdkOf(protocol, { KeepPet$: KEEP_PET });
  const send = await serveApi(awsService({ ...ZOO, sdk, operations: [keepPet] }));
  return { inputs, send: (path: string, request: TestRequest) => send(path, { method: 'POST', ...request }) };
}

const options = { defaultNamespace: 'zoo', xmlNamespace: ZOO_NAMESPACE, version: '2026-11-01' };
const PROTOCOLS = {
  json: new AwsJson1_0Protocol({ ...options, serviceTarget: 'ZooService' }),
  restJson: new AwsRestJsonProtocol(options),
  restXml: new AwsRestXmlProtocol(options),
  query: new AwsQueryProtocol(options),
};
type ProtocolName = keyof typeof PROTOCOLS;

/** Sends a body where the operation is: in a header, in the path or in the body itself. */
function requestOf(name: ProtocolName, body: string): [path: string, request: TestRequest] {
  const headers = { 'x-keeper': 'Ada' };
  if (name === 'json') return ['/', { headers: { 'x-amz-target': 'ZooService.KeepPet' }, body }];
  if (name === 'query') return ['/', { body: `Action=KeepPet&Version=2026-11-01&${body}` }];
  return ['/v1/cages/a%2Fb/?limit=2', { headers, body }];
}

const xml = (content: string) => `<KeepPetRequest xmlns="${ZOO_NAMESPACE}">${content}</KeepPetRequest>`;

const BORN_AT = new Date('2026-11-19T12:00:00.500Z');
const KEPT = {
  Cage: 'a/b',
  Limit: 2,
  Keeper: 'Ada',
  Legs: 4,
  IsTame: false,
  BornAt: BORN_AT,
  Friends: [{ Name: 'Rex' }, { Name: '<é & "ö">' }],
};
const IN_JSON = `"Legs":4,"IsTame":false,"BornAt":1795089600.5`;
const FRIENDS_IN_JSON = '[{"Name":"Rex"},{"Name":"<é & \\"ö\\">"}]';
const IN_XML =
  '<Legs>4</Legs><IsTame>false</IsTame><BornAt>2026-11-19T12:00:00.500Z</BornAt>' +
  '<Friends><Pet><Name>Rex</Name></Pet><Pet><Name>&lt;é &amp; &quot;ö&quot;&gt;</Name></Pet></Friends>';

test.each<[ProtocolName, body: string, status: number, type: string, response: string]>([
  [
    'json',
    `{"Cage":"a/b","Limit":2,"Keeper":"Ada",${IN_JSON},"Friends":${FRIENDS_IN_JSON}}`,
    200,
    'application/x-amz-json-1.0',
    `{"Keeper":"Ada",${IN_JSON},"Friends":${FRIENDS_IN_JSON}}`,
  ],
  [
    'restJson',
    `{${IN_JSON},"friend":${FRIENDS_IN_JSON}}`,
    201,
    'application/json',
    `{${IN_JSON},"friend":${FRIENDS_IN_JSON}}`,
  ],
  [
    'restXml',
    xml(IN_XML),
    201,
    'text/xml',
    `<KeepPetResponse xmlns="${ZOO_NAMESPACE}">${IN_XML}</KeepPetResponse>`,
  ],
  [
    'query',
    `${new URLSearchParams({
      Cage: 'a/b',
      Limit: '2',
      Keeper: 'Ada',
      Legs: '4',
      IsTame: 'false',
      BornAt: '2026-11-19T12:00:00.5Z',
      'Friends.Pet.1.Name': 'Rex',
      'Friends.Pet.2.Name': '<é & "ö">',
    })}`,
    200,
    'text/xml',
    `<KeepPetResponse><KeepPetResult xmlns="${ZOO_NAMESPACE}"><Keeper>Ada</Keeper>${IN_XML}</KeepPetResult>` +
      '<ResponseMetadata><RequestId>ID</RequestId></ResponseMetadata></KeepPetResponse>',
  ],
])(
  '%s: reads texts, numbers, flags, times and lists by the schema, and writes them',
  async (name, body, ...rest) => {
    const [status, type, text] = rest;
    const { inputs, send } = await servedIn(PROTOCOLS[name]);
    const response = await send(...requestOf(name, body));
    expect(inputs).toEqual([KEPT]);
    const id = String(response.headers['x-amzn-requestid']);
    expect({ ...response, text: response.text.replace(id, 'ID') }).toMatchObject({
      status,
      text,
      headers: { 'content-type': type, ...(name.startsWith('rest') && { 'x-keeper': 'Ada' }) },
    });
  },
);

test.each<[ProtocolName, body: string]>([
  ['restJson', ''],
  ['restXml', ''],
  ['restXml', xml('')],
  ['restXml', `<?xml version="1.0"?>\n<!-- a pet -->${xml(' <Friends/> ')}\n`],
])('%s: reads a body without content: %s', async (name, body) => {
  const { inputs, send } = await servedIn(PROTOCOLS[name]);
  expect(await send(...requestOf(name, body))).toMatchObject({ status: 201 });
  expect(inputs).toMatchObject([{ Cage: 'a/b', Keeper: 'Ada' }]);
});

describe.each<[ProtocolName, refused: readonly [what: string, body: string, message: string][]]>([
  [
    'json',
    [
      ['a list', '[]', 'not a JSON object'],
      ['a number', '7', 'not a JSON object'],
      ['null', 'null', 'not a JSON object'],
      ['half an object', '{', 'not a JSON object'],
      ['an unknown member', '{"Cage":"a","Wings":2}', "Value at 'wings'"],
      ['an unknown member of an item', '{"Cage":"a","Friends":[{"Wings":2}]}', 'expected string'],
      ['a member in other letters', '{"cage":"a"}', 'expected string'],
      ['a number as text', '{"Cage":"a","Legs":"4"}', 'expected number'],
      ['a flag as text', '{"Cage":"a","IsTame":"true"}', 'expected boolean'],
      ['a time as text', '{"Cage":"a","BornAt":"2026-11-19T12:00:00Z"}', 'expected date'],
      ['a time beyond time', '{"Cage":"a","BornAt":1e300}', 'expected date'],
      ['an object for a list', '{"Cage":"a","Friends":{"Name":"Rex"}}', 'expected array'],
      ['a list for an object', '{"Cage":"a","Friends":[[]]}', 'expected object'],
      ['null', '{"Cage":null}', 'expected string'],
    ],
  ],
  [
    'restJson',
    [
      ['a list by its name in the SDK', '{"Friends":[]}', "Value at 'friends'"],
      ['a member of the path in the body', '{"Cage":"c"}', "Value at 'cage'"],
      ['a member of the query in the body', '{"Limit":3}', "Value at 'limit'"],
      ['__proto__', '{"__proto__":{"Legs":4}}', "Value at '__proto__'"],
    ],
  ],
  [
    'restXml',
    [
      ['no XML', '<Keep', 'Invalid XML'],
      ['two documents', xml('') + xml(''), 'has text'],
      ['another document', `${xml('')}<Other/>`, 'the root element is not KeepPetRequest'],
      ['text beside the document', `${xml('')}!`, 'Invalid XML'],
      ['another root', '<Other/>', 'the root element is not KeepPetRequest'],
      ['the end of what is around it', `</&>${xml('')}`, 'Invalid XML'],
      ['a document type', `<!DOCTYPE x>${xml('')}`, 'Invalid XML'],
      ['an entity', xml('<Legs>&four;</Legs>'), 'Invalid XML'],
      ['an ampersand', xml('<Friends><Pet><Name>a & b</Name></Pet></Friends>'), 'Invalid XML'],
      ['text for members', xml('four'), 'has text'],
      ['text beside members', xml('four<Legs>4</Legs>'), 'Invalid XML'],
      ['an element in a text', xml('<Legs>4<x/></Legs>'), 'Invalid XML'],
      ['an element before a text', xml('<Legs><x/>4</Legs>'), 'Invalid XML'],
      ['an unknown member', xml('<Wings>2</Wings>'), "Value at 'wings'"],
      ['a member twice', xml('<Legs>4</Legs><Legs>5</Legs>'), 'expected number'],
      ['a number in words', xml('<Legs>four</Legs>'), 'expected number'],
      ['a flag in digits', xml('<IsTame>1</IsTame>'), 'expected boolean'],
      ['a list of another element', xml('<Friends><Plant/></Friends>'), 'expected array'],
      ['a list and another element', xml('<Friends><Pet/><Plant/></Friends>'), 'expected array'],
    ],
  ],
  [
    'query',
    [
      ['an unknown member', 'Cage=a&Wings=2', "Value at 'wings'"],
      ['a member below a text', 'Cage.1=a', 'expected string'],
      ['__proto__', 'Cage=a&__proto__.Legs=4', "Value at '__proto__'"],
    ],
  ],
])('400: %s with', (name, refused) => {
  test.each(refused)('%s', async (_, body, message) => {
    const { inputs, send } = await servedIn(PROTOCOLS[name]);
    const { status, text } = await send(...requestOf(name, body));
    expect([status, inputs]).toEqual([400, []]);
    expect(text).toContain(message);
  });
});

describe.each<ProtocolName>(['restJson', 'restXml'])('%s', name => {
  const body = name === 'restXml' ? xml('') : '{}';

  test.each([
    ['a path that cannot be decoded', '/v1/cages/%E0', 'Invalid request path'],
    ['a parameter twice', '/v1/cages/1?limit=2&limit=3', 'expected number'],
    ['a parameter that is no number', '/v1/cages/1?limit=', 'expected number'],
  ])('400: %s', async (_, path, message) => {
    const { send } = await servedIn(PROTOCOLS[name]);
    const { status, text } = await send(path, { body });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  test.each([
    ['a path', '/v1/aviary', 'POST /v1/aviary of the Zoo API is not supported'],
    ['a method', '/v1/cages/1', 'PUT /v1/cages/1 of the Zoo API is not supported', 'PUT'],
    [
      'parameters',
      '/v1/cages/1?size=2&color=red',
      'The parameter size, color of the Zoo API is not supported',
    ],
  ])('501: names %s that are not supported', async (_, path, message, method = 'POST') => {
    const { send } = await servedIn(PROTOCOLS[name]);
    const { status, text } = await send(path, { method, body });
    expect([status, text]).toEqual([501, expect.stringContaining(message)]);
  });
});

test.each([
  ['Action=CagePet&Version=2026-11-01', 'CagePet of the Zoo API is not supported'],
  ['Action=KeepPet&Version=2025-11-01&Cage=a', 'Version 2025-11-01 of the Zoo API is not supported'],
  ['', 'of the Zoo API is not supported'],
])('501: query %s', async (body, message) => {
  const { send } = await servedIn(PROTOCOLS.query);
  const { status, text } = await send('/', { body });
  expect([status, text]).toEqual([501, expect.stringContaining(message)]);
});
