import type { IncomingMessage, ServerResponse } from 'node:http';
import { NormalizedSchema } from '@smithy/core/schema';
import { expect, test } from 'vitest';
import { awsService } from '../../aws-api/aws-service.ts';
import type { ServiceApi } from '../../aws-api/service-api.ts';
import { developer } from '../../iam/principal.ts';
import { ALL_APIS } from './all-apis.ts';

/** Numbers from 0 to below 1 that follow from a seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A service whose operations take what is valid, and do nothing. */
function idle(api: ServiceApi): ServiceApi {
  const operations = api.operations.map(({ name, input, resource }) => ({
    name,
    input,
    ...(resource && { resource }),
    perform: () => undefined,
  }));
  const model = () => ({
    shapes: {},
    operation(name: string) {
      const checked = api.model?.().operation(name);
      return checked && { ...checked, outputFaults: () => [] };
    },
  });
  return { ...api, operations, model, rate: () => undefined };
}

/** Text of a request, in JSON or XML, with all members of a schema. */
function textOf(schema: NormalizedSchema, name: string, isXml: boolean, depth = 0): string {
  const wrap = (content: string) => (isXml ? `<${name}>${content}</${name}>` : content);
  if (schema.isStructSchema()) {
    const members = depth > 5 ? [] : [...schema.structIterator()];
    const parts = members.map(([member, of]) => {
      const text = textOf(of, member, isXml, depth + 1);
      return isXml ? text : `${JSON.stringify(member)}:${text}`;
    });
    return isXml ? wrap(parts.join('')) : `{${parts.join()}}`;
  }
  if (schema.isListSchema()) {
    const value = schema.getValueSchema();
    const item = textOf(value, value.getMergedTraits().xmlName ?? 'member', isXml, depth + 1);
    return isXml ? wrap(item) : `[${item}]`;
  }
  if (schema.isMapSchema()) return isXml ? '' : '{"a":"b"}';
  if (schema.isBooleanSchema()) return wrap('true');
  return schema.isNumericSchema() || schema.isTimestampSchema() ? wrap('7') : wrap(isXml ? 'text' : '"text"');
}

const NOISE = [
  '<',
  '>',
  '</',
  '&',
  '&amp;',
  '"',
  '{',
  '}',
  '[',
  ']',
  'null',
  ':',
  ',',
  '1e999',
  '-',
  '\0',
  '__proto__',
];
const MORE_NOISE = [
  'toString',
  '<![CDATA[',
  '<!--',
  ']]>',
  '\u{d800}',
  'é',
  '%E0',
  '%2F',
  '/',
  '?',
  '=',
  '#',
  '<a>',
];

test('10,000 malformed requests: none ends a service or is an error of its own', async () => {
  const next = numbersFrom(7);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item;
  const damaged = (text: string) => {
    let result = text;
    for (let count = next() * 3; count > 0; count -= 1) {
      const start = Math.floor(next() * (result.length + 1));
      const end = next() < 0.5 ? start : start + Math.floor(next() * 12);
      result = result.slice(0, start) + pick([...NOISE, ...MORE_NOISE]) + result.slice(end);
    }
    return result;
  };
  const targets = await Promise.all(
    ALL_APIS.flatMap(api => {
      const service = awsService(idle(api));
      return api.operations.map(async ({ name }) => {
        const [sdk, Client] = await api.sdk();
        const [, , , traits, input] = Reflect.get(sdk, `${name}$`);
        const { serviceTarget } = new Client({ region: 'us-east-1' }).config.protocolSettings ?? {};
        const [method, path] = traits.http ?? ['POST', '/'];
        const body = textOf(NormalizedSchema.of(input), `${name}Request`, api.title === 'Route 53');
        return { service, method, path, body, target: `${serviceTarget}.${name}` };
      });
    }),
  );

  const statuses = new Map<number, number>();
  for (let count = 0; count < 10_000; count += 1) {
    const { service, method, path, body, target } = pick(targets);
    const deep = next() < 0.001 ? pick(['<a>', '[', '{"a":']).repeat(100_000) : '';
    const request = {
      method,
      url: next() < 0.5 ? path : damaged(path),
      headers: { 'x-amz-target': next() < 0.9 ? target : damaged(target) },
    } as unknown as IncomingMessage;
    let status = 0;
    const response = {
      setHeader() {},
      writeHead(given: number) {
        status = given;
        return response;
      },
      end() {},
    };
    await service({
      request,
      body: Buffer.from(deep || damaged(body)),
      response: response as unknown as ServerResponse,
      principal: developer,
      callerArn: 'arn',
      requestId: 'id',
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(
    [...statuses.keys()].filter(status => ![200, 201, 202, 400, 413, 429, 501].includes(status)),
  ).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(5_000);
});
