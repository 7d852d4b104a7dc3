import {
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetHostedZoneCommand,
  ListHostedZonesCommand,
} from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { changeOf, servedRoute53 } from '../../testing/served-route53.ts';

describe('CreateHostedZone', () => {
  test('201: creates a zone with four name servers and its own NS and SOA records', async () => {
    const { client, clock } = await servedRoute53();
    const { $metadata, ...created } = await client.send(
      new CreateHostedZoneCommand({
        Name: 'Example.COM',
        CallerReference: 'one',
        HostedZoneConfig: { Comment: 'a <zone> & more' },
      }),
    );
    const Id = created.HostedZone?.Id ?? '';
    expect($metadata.httpStatusCode).toBe(201);
    expect(created).toEqual({
      Location: `https://route53.amazonaws.com/2013-04-01${Id}`,
      HostedZone: {
        Id: expect.stringMatching(/^\/hostedzone\/Z[A-Z0-9]{20}$/),
        Name: 'example.com.',
        CallerReference: 'one',
        Config: { Comment: 'a <zone> & more', PrivateZone: false },
        ResourceRecordSetCount: 2,
      },
      ChangeInfo: {
        Id: expect.stringMatching(/^\/change\/C[A-Z0-9]{20}$/),
        Status: 'PENDING',
        SubmittedAt: new Date(clock.nowMs),
      },
      DelegationSet: {
        NameServers: [
          expect.stringMatching(/^ns-\d+\.awsdns-\d\d\.com$/),
          expect.stringMatching(/^ns-\d+\.awsdns-\d\d\.net$/),
          expect.stringMatching(/^ns-\d+\.awsdns-\d\d\.org$/),
          expect.stringMatching(/^ns-\d+\.awsdns-\d\d\.co\.uk$/),
        ],
      },
    });
    const { HostedZone, DelegationSet } = await client.send(new GetHostedZoneCommand({ Id }));
    expect({ HostedZone, DelegationSet }).toEqual({
      HostedZone: created.HostedZone,
      DelegationSet: created.DelegationSet,
    });
  });

  test('409: a used caller reference; a used name makes another zone', async () => {
    const { created } = await servedRoute53();
    const first = await created('example.com', 'one');
    await expect(created('example.com', 'one')).rejects.toMatchObject({
      name: 'HostedZoneAlreadyExists',
      message: 'A hosted zone has already been created with the specified caller reference.',
      $metadata: { httpStatusCode: 409 },
    });
    expect(await created('example.com', 'two')).not.toBe(first);
  });

  test.each(['exa mple.com', 'a..com', `${'a'.repeat(64)}.com`, 'münchen.de', '.'])(
    '400: %j is not a domain name',
    async name => {
      const { created } = await servedRoute53();
      await expect(created(name)).rejects.toMatchObject({
        name: 'InvalidDomainName',
        $metadata: { httpStatusCode: 400 },
      });
    },
  );

  test('501: a private zone', async () => {
    const { client } = await servedRoute53();
    const zone = { Name: 'example.com', CallerReference: 'one', HostedZoneConfig: { PrivateZone: true } };
    await expect(client.send(new CreateHostedZoneCommand(zone))).rejects.toThrow(
      'A private hosted zone is not',
    );
  });
});

describe('GetHostedZone', () => {
  test('404: no such zone', async () => {
    const { client } = await servedRoute53();
    await expect(client.send(new GetHostedZoneCommand({ Id: 'ZNONE' }))).rejects.toMatchObject({
      name: 'NoSuchHostedZone',
      message: 'No hosted zone found with ID: ZNONE',
      $metadata: { httpStatusCode: 404 },
    });
  });
});

describe('DeleteHostedZone', () => {
  test('400: the zone has records beside its own; 200 without them', async () => {
    const { client, clock, created, change } = await servedRoute53();
    const Id = await created('example.com');
    await change(Id, changeOf('CREATE', 'A', 'example.com', '192.0.2.1'));
    clock.nowMs += 100;
    const remove = new DeleteHostedZoneCommand({ Id });
    await expect(client.send(remove)).rejects.toMatchObject({
      name: 'HostedZoneNotEmpty',
      $metadata: { httpStatusCode: 400 },
    });
    await change(Id, changeOf('DELETE', 'A', 'example.com', '192.0.2.1'));
    clock.nowMs += 100;
    expect((await client.send(remove)).ChangeInfo?.Status).toBe('PENDING');
    await expect(client.send(remove)).rejects.toMatchObject({ name: 'NoSuchHostedZone' });
  });
});

describe('ListHostedZones', () => {
  test('200: lists zones by id, page by page', async () => {
    const { client, created } = await servedRoute53();
    const ids = [await created('a.com'), await created('b.com'), await created('c.com')];
    const first = await client.send(new ListHostedZonesCommand({ MaxItems: 2 }));
    expect(first).toMatchObject({ IsTruncated: true, MaxItems: 2 });
    const second = await client.send(new ListHostedZonesCommand({ Marker: first.NextMarker }));
    expect(second).toMatchObject({ IsTruncated: false, MaxItems: 100 });
    expect(second.NextMarker).toBeUndefined();
    const listed = [...(first.HostedZones ?? []), ...(second.HostedZones ?? [])];
    expect(listed.map(({ Id }) => Id?.replace('/hostedzone/', ''))).toEqual(ids.toSorted());
  });
});
