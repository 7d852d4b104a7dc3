import { APIGatewayClient, ConflictException, NotFoundException } from '@aws-sdk/client-api-gateway';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { gatewayMappings } from '../../../../shared/domains/aws/gateway-domains.ts';

const NAME = 'www.zoo.example';
const REQUIRED = { apiId: 'api1', stage: 'test' };
const OTHER = { restApiId: 'other', stage: 'test' };

afterEach(() => {
  vi.restoreAllMocks();
});

/** A client that gives these answers, one after the other, and the names of the commands that it was sent. */
function answering(...answers: (object | Error)[]) {
  const sent: string[] = [];
  const client = new APIGatewayClient({ region: 'us-east-1' });
  vi.spyOn(client, 'send').mockImplementation((async (command: object) => {
    sent.push(command.constructor.name.replace('BasePathMappingCommand', ''));
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  }) as never);
  return { sent, ...gatewayMappings(client) };
}

const exists = () => new ConflictException({ message: 'Base path already exists', $metadata: {} });
const notFound = () => new NotFoundException({ message: 'Invalid identifier', $metadata: {} });

test('find returns a mapping that has no stage with an empty one', async () => {
  const { find } = answering({ restApiId: 'api1' }, {});
  expect(await find(NAME)).toEqual({ apiId: 'api1', stage: '' });
  expect(await find(NAME)).toEqual({ apiId: '', stage: '' });
});

describe('set', () => {
  test('keeps a mapping that is as required', async () => {
    const { set, sent } = answering(exists(), { restApiId: 'api1', stage: 'test' });
    await set(NAME, REQUIRED);
    expect(sent).toEqual(['Create', 'Get']);
  });

  test.each([OTHER, { restApiId: 'api1', stage: 'other' }])('changes a mapping to %j', async present => {
    const { set, sent } = answering(exists(), present);
    await set(NAME, REQUIRED);
    expect(sent).toEqual(['Create', 'Get', 'Update']);
  });

  test('creates a mapping that was deleted before it could be read', async () => {
    const { set, sent } = answering(exists(), notFound(), {});
    await set(NAME, REQUIRED);
    expect(sent).toEqual(['Create', 'Get', 'Create']);
  });

  test('creates a mapping that was deleted before it could be changed', async () => {
    const { set, sent } = answering(exists(), OTHER, notFound(), {});
    await set(NAME, REQUIRED);
    expect(sent).toEqual(['Create', 'Get', 'Update', 'Create']);
  });

  test('gives up when the mapping is deleted again and again', async () => {
    const { set, sent } = answering(exists(), notFound(), exists(), notFound(), exists(), notFound());
    await expect(set(NAME, REQUIRED)).rejects.toThrow(`The mapping of ${NAME} was deleted again and again`);
    expect(sent).toEqual(['Create', 'Get', 'Create', 'Get', 'Create', 'Get']);
  });

  test('throws NotFoundException when the domain name is gone', async () => {
    const { set } = answering(notFound());
    await expect(set(NAME, REQUIRED)).rejects.toBeInstanceOf(NotFoundException);
  });
});
