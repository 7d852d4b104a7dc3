import { expect, test } from 'vitest';
import * as z from 'zod';
import { restOperation } from '../../aws-api/operation.ts';
import { restXmlService } from '../../aws-api/rest-protocol.ts';
import { serveApi, ZOO } from './served-endpoint.ts';

/** A service that returns its input. */
async function servedEcho() {
  const echo = restOperation({
    name: 'FeedCage',
    http: {
      route: 'POST /cage/{Id}',
      query: { MaxItems: 'maxitems' },
      output: { headers: { Location: 'location' } },
    },
    input: z.strictObject({
      Id: z.string(),
      MaxItems: z.string().optional(),
      Pets: z.array(z.strictObject({ Name: z.string() })).optional(),
    }),
    perform: input => ({ ...input, Location: `/cage/${input.Id}` }),
  });
  const api = {
    ...ZOO,
    pathPrefix: '/v1',
    namespace: 'https://zoo.example/',
    listItems: { Pets: 'Pet' },
    operations: [echo],
  };
  const send = await serveApi(restXmlService(api));
  return (path: string, body: string) => send(path, { method: 'POST', body });
}

const request = (content: string) =>
  `<FeedCageRequest xmlns="https://zoo.example/">${content}</FeedCageRequest>`;
const pet = (name: string) => `<Pet><Name>${name}</Name></Pet>`;

test('200: merges path, query and body into the input, and writes the output with its headers', async () => {
  const send = await servedEcho();
  const { status, headers, text } = await send('/v1/cage/a%2Fb/?maxitems=2', request(''));
  expect(status).toBe(200);
  expect(headers.location).toBe('/cage/a/b');
  expect(text).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<FeedCageResponse xmlns="https://zoo.example/"><Id>a/b</Id><MaxItems>2</MaxItems></FeedCageResponse>',
  );
});

test.each([
  ['no', ''],
  ['one', pet('lion')],
  ['two', pet('lion') + pet('&lt;zebra&gt;')],
])('200: reads and writes a list of %s items', async (_, items) => {
  const send = await servedEcho();
  const list = `<Pets>${items}</Pets>`;
  expect((await send('/v1/cage/1', request(list))).text).toContain(list);
});

test.each([
  ['the body is not XML', '<Feed'],
  ['the root element is another', '<Other/>'],
  ['a list has another element', request('<Pets><Plant/></Pets>')],
])('400: %s', async (_, body) => {
  const send = await servedEcho();
  const { status, text } = await send('/v1/cage/1', body);
  expect(status).toBe(400);
  expect(text).toMatch(/<Error><Type>Sender<\/Type><Code>(Unreadable|Invalid)<\/Code>/);
});

test('400: the path cannot be decoded', async () => {
  const send = await servedEcho();
  expect(await send('/v1/cage/%E0', request(''))).toMatchObject({ status: 400 });
});

test('501: names a path and a query parameter that are not supported', async () => {
  const send = await servedEcho();
  expect((await send('/v1/aviary', '')).text).toContain('POST /v1/aviary of the Zoo API is not supported');
  expect((await send('/v1/cage/1?size=2&color=red', request(''))).text).toContain(
    'The parameter size, color of the Zoo API is not supported',
  );
});
