import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
  StopQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, test } from 'vitest';
import { logsService } from '../../logs/logs-service.ts';
import { serveEndpoint } from '../../testing/served-endpoint.ts';
import { serveLogs } from '../../testing/served-logs.ts';

const GROUP = 'Zoo-FeedLogs';

describe('FilterLogEvents', () => {
  test('gives the events of a group in their order, with time and id', async () => {
    const logs = await serveLogs([GROUP]);
    const before = Date.now();
    await logs.write(GROUP, '{"pet":"lion"}', 'häuser und "Zitate"');
    const { events = [], nextToken } = await logs.filter({ logGroupName: GROUP });
    expect(events.map(({ message }) => message)).toEqual(['{"pet":"lion"}', 'häuser und "Zitate"']);
    expect(events[0]?.timestamp).toBeGreaterThanOrEqual(before);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2);
    expect(events[0]?.eventId).toMatch(/^\d{56}$/);
    expect(nextToken).toBeUndefined();
  });

  test('gives the events of a time window, both ends included', async () => {
    const logs = await serveLogs([GROUP]);
    await logs.write(GROUP, 'roar');
    const { events = [] } = await logs.filter({ logGroupName: GROUP });
    const at = events[0]?.timestamp ?? 0;
    const inWindow = async (startTime: number, endTime: number) =>
      (await logs.filter({ logGroupName: GROUP, startTime, endTime })).events?.length;
    expect(await inWindow(at, at)).toBe(1);
    expect(await inWindow(at + 1, at + 2)).toBe(0);
    expect(await inWindow(at - 2, at - 1)).toBe(0);
  });

  test('does not find an event in the second in which it was written', async () => {
    const logs = await serveLogs([GROUP]);
    logs.nowMs = Date.now();
    await logs.write(GROUP, 'roar');
    expect((await logs.filter({ logGroupName: GROUP })).events).toEqual([]);
    logs.nowMs = Date.now() + 1_000;
    expect((await logs.filter({ logGroupName: GROUP })).events).toHaveLength(1);
  });

  test('gives empty pages with a token until it has searched the whole group', async () => {
    const logs = await serveLogs([GROUP], { scanBytes: 200 });
    await logs.write(GROUP, ...Array.from({ length: 30 }, (_, number) => `pet ${number}`));
    const filterPattern = '"pet 29"';
    const first = await logs.filter({ logGroupName: GROUP, filterPattern });
    expect(first.events).toEqual([]);
    expect(first.nextToken).toBeDefined();
    expect(await logs.messages({ logGroupName: GROUP, filterPattern })).toEqual(['pet 29']);
  });

  test('gives as many events as the limit says, and the others after its token', async () => {
    const logs = await serveLogs([GROUP]);
    const lines = Array.from({ length: 5 }, (_, number) => `pet ${number}`);
    await logs.write(GROUP, ...lines);
    const first = await logs.filter({ logGroupName: GROUP, limit: 2 });
    expect(first.events?.map(({ message }) => message)).toEqual(['pet 0', 'pet 1']);
    expect(await logs.messages({ logGroupName: GROUP, limit: 2 })).toEqual(lines);
  });

  test('finds a line that is longer than what one request searches', async () => {
    const logs = await serveLogs([GROUP], { scanBytes: 100 });
    await logs.write(GROUP, 'x'.repeat(1_000), 'short');
    expect(await logs.messages({ logGroupName: GROUP })).toEqual(['x'.repeat(1_000), 'short']);
  });

  test('gives no events of a group that nothing was written to', async () => {
    const logs = await serveLogs([GROUP]);
    expect((await logs.filter({ logGroupName: GROUP })).events).toEqual([]);
  });

  test('ResourceNotFoundException: the group is not declared', async () => {
    const logs = await serveLogs([GROUP]);
    await expect(logs.filter({ logGroupName: 'Zoo-Feed' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test.each([
    ['no name', { logGroupName: '' }],
    ['a name with a space', { logGroupName: 'Zoo Feed' }],
    ['a limit of 0', { limit: 0 }],
    ['a limit of 10,001', { limit: 10_001 }],
    ['a negative time', { startTime: -1 }],
    ['an end before the start', { startTime: 2, endTime: 1 }],
    ['an unreadable pattern', { filterPattern: '{ $.a = }' }],
    ['a pattern of more than 1,024 characters', { filterPattern: 'a'.repeat(1_025) }],
    ['a token that was not given', { nextToken: 'again' }],
  ])('InvalidParameterException: %s', async (_, input) => {
    const logs = await serveLogs([GROUP]);
    await expect(logs.filter({ logGroupName: GROUP, ...input })).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });

  test('InvalidParameterException: the token of another search', async () => {
    const logs = await serveLogs([GROUP]);
    await logs.write(GROUP, 'a', 'b');
    const { nextToken } = await logs.filter({ logGroupName: GROUP, limit: 1 });
    const other = { logGroupName: GROUP, limit: 1, filterPattern: 'b', nextToken };
    await expect(logs.filter(other)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  test.each([
    ['names of streams', { logStreamNames: ['a'] }],
    ['a regular expression', { filterPattern: '%a+%' }],
    ['a pattern of columns', { filterPattern: '[a, b]' }],
  ])('NotImplemented: %s', async (_, input) => {
    const logs = await serveLogs([GROUP]);
    await expect(logs.filter({ logGroupName: GROUP, ...input })).rejects.toMatchObject({
      name: 'NotImplemented',
    });
  });

  test('ThrottlingException: more than ten requests at once', async () => {
    const logs = await serveLogs([GROUP]);
    const requests = Array.from({ length: 11 }, () => logs.filter({ logGroupName: GROUP }));
    const outcomes = await Promise.allSettled(requests);
    const reasons = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.name] : []));
    expect(reasons).toEqual(['ThrottlingException']);
  });
});

describe('DescribeLogGroups', () => {
  test('gives the groups with a prefix by name, page by page', async () => {
    const logs = await serveLogs(['Zoo-C', 'Zoo-A', 'Farm-A', 'Zoo-B']);
    const first = await logs.describe({ logGroupNamePrefix: 'Zoo-', limit: 2 });
    expect(first.logGroups).toMatchObject([
      { logGroupName: 'Zoo-A', retentionInDays: 14 },
      { logGroupName: 'Zoo-B' },
    ]);
    const { nextToken } = first;
    const second = await logs.describe({ logGroupNamePrefix: 'Zoo-', limit: 2, nextToken });
    expect(second.logGroups).toMatchObject([{ logGroupName: 'Zoo-C' }]);
    expect(second.nextToken).toBeUndefined();
  });

  test('gives a group that a function has created by writing to it', async () => {
    const logs = await serveLogs([]);
    await logs.write('/aws/lambda/feed', 'roar');
    expect((await logs.describe()).logGroups).toMatchObject([{ logGroupName: '/aws/lambda/feed' }]);
  });

  test.each([
    ['a limit of 51', { limit: 51 }],
    ['a prefix with a space', { logGroupNamePrefix: 'a b' }],
    ['a token that was not given', { nextToken: 'x' }],
  ])('InvalidParameterException: %s', async (_, input) => {
    const logs = await serveLogs([GROUP]);
    await expect(logs.describe(input)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});

describe('a query of Logs Insights', () => {
  const BY_PET = 'filter pet like /^li/ | stats count(*) as meals by pet, food | limit 10';
  const WINDOW = { startTime: 0, endTime: 4e9 };

  async function queried(queryString = BY_PET) {
    const logs = await serveLogs([GROUP]);
    const meals = ['lion meat', 'lion meat', 'lynx meat', 'lizard flies', 'lizard'].map(text => {
      const [pet, food] = text.split(' ');
      return JSON.stringify({ pet, food });
    });
    await logs.write(GROUP, ...meals, 'not JSON');
    const start = () =>
      logs.client.send(new StartQueryCommand({ logGroupNames: [GROUP], queryString, ...WINDOW }));
    const results = (queryId = '') => logs.client.send(new GetQueryResultsCommand({ queryId }));
    return Object.assign(logs, { start, results });
  }

  test('counts events by fields once it is complete, and has a part of the rows until then', async () => {
    const logs = await queried();
    const { queryId } = await logs.start();
    expect(await logs.results(queryId)).toMatchObject({ status: 'Running', results: [{}] });
    logs.nowMs += 1_000;
    const { status, results = [] } = await logs.results(queryId);
    const rows = results.map(row => row.map(({ field, value }) => `${field}=${value}`).join(' '));
    expect([status, rows.toSorted()]).toEqual([
      'Complete',
      ['pet=lion food=meat meals=2', 'pet=lizard food=flies meals=1', 'pet=lizard meals=1'],
    ]);
  });

  test('that was stopped has no result, and cannot be stopped again: InvalidParameterException', async () => {
    const logs = await queried();
    const { queryId } = await logs.start();
    const stop = () => logs.client.send(new StopQueryCommand({ queryId }));
    expect(await stop()).toMatchObject({ success: true });
    logs.nowMs += 1_000;
    expect(await logs.results(queryId)).toMatchObject({ status: 'Cancelled' });
    await expect(stop()).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  test('finds the events of a time window, and as many rows as its limit', async () => {
    const logs = await queried('stats count(*) as meals by pet | limit 2');
    const rowsIn = async (window: object) => {
      const input = { logGroupNames: [GROUP], queryString: 'stats count(*) as n by pet | limit 2' };
      const command = new StartQueryCommand({ ...input, ...WINDOW, ...window });
      const { queryId } = await logs.client.send(command);
      logs.nowMs += 1_000;
      return (await logs.results(queryId)).results?.length;
    };
    expect([await rowsIn({}), await rowsIn({ endTime: 1 }), await rowsIn({ startTime: 4e9 })]).toEqual([
      2, 0, 0,
    ]);
  });

  test.each([
    ['MalformedQueryException', { queryString: 'count the pets' }],
    ['NotImplemented', { queryString: 'fields @message | sort @timestamp' }],
    ['NotImplemented', { logGroupName: GROUP, logGroupNames: undefined }],
    ['ResourceNotFoundException', { logGroupNames: ['Zoo-Feed'] }],
    ['InvalidParameterException', { startTime: 2, endTime: 1 }],
  ])('%s: %o', async (name, input) => {
    const logs = await queried();
    const complete = { logGroupNames: [GROUP], queryString: BY_PET, ...WINDOW, ...input };
    await expect(logs.client.send(new StartQueryCommand(complete))).rejects.toMatchObject({ name });
  });

  test('LimitExceededException: more than 30 at once', async () => {
    const logs = await queried();
    const service = logsService({ ...logs, waitScale: 100, now: () => logs.nowMs });
    const { clientOptions } = await serveEndpoint({ logs: service });
    const client = new CloudWatchLogsClient(clientOptions);
    const start = () => {
      logs.nowMs += 200;
      return client.send(new StartQueryCommand({ logGroupNames: [GROUP], queryString: BY_PET, ...WINDOW }));
    };
    for (let count = 0; count < 30; count += 1) await start();
    await expect(start()).rejects.toMatchObject({ name: 'LimitExceededException' });
  });
});
