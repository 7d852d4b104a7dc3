import { CreateApiKeyCommand, DeleteApiKeyCommand, GetApiKeysCommand } from '@aws-sdk/client-api-gateway';
import { expect, test } from 'vitest';
import { serveControlPlane } from './served-control-plane.ts';

const THROTTLED = {
  name: 'TooManyRequestsException',
  $metadata: { httpStatusCode: 429 },
};

/** How many of these calls succeed before one is throttled. */
async function admitted(call: () => Promise<unknown>): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await call();
    } catch (error) {
      expect(error).toMatchObject(THROTTLED);
      return count;
    }
  }
}

test('429: after 40 requests at once of any operation, and after 10 in each second', async () => {
  const plane = await serveControlPlane();
  const list = () => plane.client.send(new GetApiKeysCommand());
  await plane.createKey();
  expect(await admitted(list)).toBe(39);
  plane.nowMs += 1000;
  expect(await admitted(list)).toBe(10);
});

test.each([
  ['CreateApiKey', () => new CreateApiKeyCommand({})],
  ['DeleteApiKey', (id: string) => new DeleteApiKeyCommand({ apiKey: id })],
])('429: after 5 %s in a second', async (_, command) => {
  const plane = await serveControlPlane();
  const ids = Array.from({ length: 12 }, (_, number) => {
    const value = `aValueOfTwentyLetters${number}`;
    return plane.apiKeys.add({ enabled: true, value, createdDate: 0, lastUpdatedDate: 0 }).id;
  });
  const call = async () => {
    await plane.client.send(command(ids.at(-1) ?? '') as CreateApiKeyCommand);
    ids.pop();
  };
  expect(await admitted(call)).toBe(5);
  plane.nowMs += 400;
  expect(await admitted(call)).toBe(2);
});

test('429: as often in a hundredth of the time with a hundredth of the waits', async () => {
  const plane = await serveControlPlane({ waitScale: 0.01 });
  const list = () => plane.client.send(new GetApiKeysCommand());
  expect(await admitted(list)).toBe(40);
  plane.nowMs += 10;
  expect(await admitted(list)).toBe(10);
});
