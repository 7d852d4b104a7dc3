import { GetChangeCommand } from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { changeOf, servedRoute53 } from './served-route53.ts';

describe('GetChange', () => {
  test('200: is PENDING, then INSYNC after 60 seconds times the scale of waits', async () => {
    const { client, clock, created, change } = await servedRoute53({ waitScale: 0.1 });
    const zone = await created('example.com');
    const { ChangeInfo } = await change(zone, changeOf('CREATE', 'A', 'example.com', '192.0.2.1'));
    const status = async () => {
      const answer = await client.send(new GetChangeCommand({ Id: ChangeInfo?.Id }));
      return answer.ChangeInfo?.Status;
    };
    expect(await status()).toBe('PENDING');
    clock.nowMs += 5999;
    expect(await status()).toBe('PENDING');
    clock.nowMs += 1;
    expect(await status()).toBe('INSYNC');
  });

  test('404: no such change', async () => {
    const { client } = await servedRoute53();
    await expect(client.send(new GetChangeCommand({ Id: 'CNONE' }))).rejects.toMatchObject({
      name: 'NoSuchChange',
      $metadata: { httpStatusCode: 404 },
    });
  });
});
