import { GetHostedZoneCommand, ListHostedZonesCommand } from '@aws-sdk/client-route-53';
import { expect, test } from 'vitest';
import { recordingPrincipal } from '../../testing/served-endpoint.ts';
import { changeOf, servedRoute53 } from '../../testing/served-route53.ts';

test('403: asks the principal about the operation and the resource', async () => {
  const asked: string[] = [];
  const denial = (action: string, resource: string) => {
    asked.push(`${action} ${resource}`);
    return 'User: x is not authorized';
  };
  const { client, created, change } = await servedRoute53({ principal: { denial } });
  const calls = [
    () => created('example.com'),
    () => change('Z1', changeOf('CREATE', 'A', 'example.com', '192.0.2.1')),
    () => client.send(new GetHostedZoneCommand({ Id: '/hostedzone/Z1' })),
    () => client.send(new ListHostedZonesCommand({})),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'User: x is not authorized',
      $metadata: { httpStatusCode: 403 },
    });
  }
  expect(asked).toEqual([
    'route53:CreateHostedZone *',
    'route53:ChangeResourceRecordSets arn:aws:route53:::hostedzone/Z1',
    'route53:GetHostedZone arn:aws:route53:::hostedzone/Z1',
    'route53:ListHostedZones *',
  ]);
});

test('400: throttles above 50 requests at once or 10 a second', async () => {
  const { client, clock } = await servedRoute53();
  const passed = async (requests: number) => {
    const send = () => client.send(new ListHostedZonesCommand({}));
    const outcomes = await Promise.allSettled(Array.from({ length: requests }, send));
    for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
      expect(outcome).toMatchObject({
        reason: {
          name: 'ThrottlingException',
          message: 'Rate exceeded',
          $metadata: { httpStatusCode: 400 },
        },
      });
    }
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  expect(await passed(55)).toBe(50);
  clock.nowMs += 500;
  expect(await passed(10)).toBe(5);
});

test('gives policies the actions, names and types of a batch, the names in normalized form', async () => {
  const { principal, asked } = recordingPrincipal();
  const { created, change } = await servedRoute53({ principal });
  await change(
    await created('example.com'),
    changeOf('CREATE', 'A', 'WWW.Example.com.', '192.0.2.1'),
    changeOf('UPSERT', 'A', '*.example.com', '192.0.2.1'),
    changeOf('CREATE', 'TXT', 'www.example.com', '"x"'),
  );
  expect(asked.at(-1)?.keys).toEqual({
    'route53:ChangeResourceRecordSetsActions': ['CREATE', 'UPSERT'],
    'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['www.example.com', '\\052.example.com'],
    'route53:ChangeResourceRecordSetsRecordTypes': ['A', 'TXT'],
  });
});
