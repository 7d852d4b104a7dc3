import { ChangeResourceRecordSetsCommand, DeleteHostedZoneCommand } from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { changeOf, OWN, rejection, servedRoute53, servedZone } from '../../testing/served-route53.ts';

describe('CREATE, UPSERT and DELETE', () => {
  test('200: keeps names in lower case with the dot, and values as they were given', async () => {
    const { change, list } = await servedZone();
    const { ChangeInfo } = await change(
      changeOf('CREATE', 'TXT', 'WWW.Example.com', '"a \\"b\\" & <c>" "d"'),
      changeOf('UPSERT', 'CNAME', '*.example.com.', 'Target.Example.org'),
      changeOf('CREATE', 'CAA', 'example.com', '0 issue "amazon.com"'),
      changeOf('CREATE', 'MX', 'example.com', '10 mail.example.com', '20 mail2.example.com'),
    );
    expect(ChangeInfo?.Status).toBe('PENDING');
    const { ResourceRecordSets = [] } = await list();
    const ownRecords = (type: string) => type !== 'NS' && type !== 'SOA';
    expect(ResourceRecordSets.filter(({ Type = '' }) => ownRecords(Type))).toEqual([
      {
        Name: 'example.com.',
        Type: 'CAA',
        TTL: 300,
        ResourceRecords: [{ Value: '0 issue "amazon.com"' }],
      },
      {
        Name: 'example.com.',
        Type: 'MX',
        TTL: 300,
        ResourceRecords: [{ Value: '10 mail.example.com' }, { Value: '20 mail2.example.com' }],
      },
      {
        Name: '\\052.example.com.',
        Type: 'CNAME',
        TTL: 300,
        ResourceRecords: [{ Value: 'Target.Example.org' }],
      },
      {
        Name: 'www.example.com.',
        Type: 'TXT',
        TTL: 300,
        ResourceRecords: [{ Value: '"a \\"b\\" & <c>" "d"' }],
      },
    ]);
    await change(changeOf('DELETE', 'CNAME', '\\052.example.com', 'Target.Example.org'));
  });

  test('200: UPSERT replaces a set, as do DELETE and CREATE in one batch; values match in any order', async () => {
    const { change, names } = await servedZone();
    await change(changeOf('UPSERT', 'A', 'a.example.com', '192.0.2.1', '192.0.2.2'));
    await change(
      changeOf('DELETE', 'A', 'a.example.com', '192.0.2.2', '192.0.2.1'),
      changeOf('CREATE', 'CNAME', 'a.example.com', 'b.example.org'),
    );
    expect(await names()).toEqual([...OWN, 'a.example.com. CNAME']);
  });

  test('400: CREATE of an existing set; the rest of the batch is not applied', async () => {
    const { change, names } = await servedZone();
    await change(changeOf('CREATE', 'A', 'a.example.com', '192.0.2.1'));
    const batch = [
      changeOf('CREATE', 'A', 'b.example.com', '192.0.2.1'),
      changeOf('CREATE', 'A', 'A.example.com', '192.0.2.1'),
    ];
    await expect(change(...batch)).rejects.toMatchObject(
      rejection(
        "Tried to create resource record set [name='a.example.com.', type='A'] but it already exists",
      ),
    );
    expect(await names()).toEqual([...OWN, 'a.example.com. A']);
  });

  test('400: DELETE of a set that does not exist or has other values', async () => {
    const { change } = await servedZone();
    const set = "resource record set [name='a.example.com.', type='A']";
    await expect(change(changeOf('DELETE', 'A', 'a.example.com', '192.0.2.1'))).rejects.toMatchObject(
      rejection(`Tried to delete ${set} but it was not found`),
    );
    await change(changeOf('CREATE', 'A', 'a.example.com', '192.0.2.1'));
    const differs = rejection(
      `Tried to delete ${set} but the values provided do not match the current values`,
    );
    await expect(change(changeOf('DELETE', 'A', 'a.example.com', '192.0.2.9'))).rejects.toMatchObject(
      differs,
    );
    const otherTtl = {
      Action: 'DELETE' as const,
      ResourceRecordSet: {
        Name: 'a.example.com',
        Type: 'A' as const,
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.1' }],
      },
    };
    await expect(change(otherTtl)).rejects.toMatchObject(differs);
  });

  test('400: names every fault of a batch', async () => {
    const { change } = await servedZone();
    await expect(
      change(
        changeOf('CREATE', 'A', 'a.example.org', '192.0.2.1'),
        changeOf('DELETE', 'A', 'b.example.com', '192.0.2.1'),
      ),
    ).rejects.toMatchObject(
      rejection(
        'RRSet with DNS name a.example.org. is not permitted in zone example.com.',
        "Tried to delete resource record set [name='b.example.com.', type='A'] but it was not found",
      ),
    );
  });

  test('400: one set twice in a batch', async () => {
    const { change } = await servedZone();
    await expect(
      change(
        changeOf('UPSERT', 'A', 'a.example.com', '192.0.2.1'),
        changeOf('UPSERT', 'A', 'a.example.com', '192.0.2.2'),
      ),
    ).rejects.toMatchObject(
      rejection(
        "The request contains an invalid set of changes for a resource record set 'A a.example.com.'",
      ),
    );
  });

  test('400: DELETE of the zone’s own SOA and NS', async () => {
    const { change, list } = await servedZone();
    const { ResourceRecordSets = [] } = await list();
    const changes = ResourceRecordSets.map(ResourceRecordSet => ({
      Action: 'DELETE' as const,
      ResourceRecordSet,
    }));
    await expect(change(...changes)).rejects.toMatchObject(
      rejection(
        'A HostedZone must contain exactly one SOA record.',
        'A HostedZone must contain at least one NS record for the zone itself.',
      ),
    );
  });

  test('404: no such zone', async () => {
    const served = await servedRoute53();
    await expect(
      served.change('ZNONE', changeOf('CREATE', 'A', 'example.com', '192.0.2.1')),
    ).rejects.toMatchObject({ name: 'NoSuchHostedZone' });
  });
});

test('501: names a record type that is not supported', async () => {
  const { change } = await servedZone();
  await expect(change(changeOf('CREATE', 'SRV', 'a.example.com', '1 1 1 b.example.com'))).rejects.toThrow(
    'The record type SRV is not supported by the local AWS.',
  );
});

describe('ListResourceRecordSets', () => {
  test('200: orders by the labels from the last to the first, then by type, page by page', async () => {
    const { change, list, names } = await servedZone();
    await change(
      changeOf('CREATE', 'TXT', 'b.example.com', '"x"'),
      changeOf('CREATE', 'A', 'b.example.com', '192.0.2.1'),
      changeOf('CREATE', 'A', 'z.a.example.com', '192.0.2.1'),
      changeOf('CREATE', 'A', 'a-b.example.com', '192.0.2.1'),
      changeOf('CREATE', 'A', 'c.example.com', '192.0.2.1'),
    );
    expect(await names()).toEqual([
      ...OWN,
      'a-b.example.com. A',
      'z.a.example.com. A',
      'b.example.com. A',
      'b.example.com. TXT',
      'c.example.com. A',
    ]);
    const first = await list({ StartRecordName: 'B.example.com', MaxItems: 1 });
    expect(first).toMatchObject({
      IsTruncated: true,
      NextRecordName: 'b.example.com.',
      NextRecordType: 'TXT',
      MaxItems: 1,
    });
    const second = await list({
      StartRecordName: first.NextRecordName,
      StartRecordType: first.NextRecordType,
    });
    expect(second.IsTruncated).toBe(false);
    expect(second.ResourceRecordSets?.map(({ Name, Type }) => `${Name} ${Type}`)).toEqual([
      'b.example.com. TXT',
      'c.example.com. A',
    ]);
    await expect(list({ StartRecordType: 'A' })).rejects.toMatchObject({ name: 'InvalidInput' });
  });
});

test('400: refuses a change of a zone while another one is applied, and no change of another zone', async () => {
  const { client, clock, created } = await servedRoute53();
  const [first, second] = [await created('example.com'), await created('example.org')];
  const put = (HostedZoneId: string, name: string) =>
    client.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId,
        ChangeBatch: { Changes: [changeOf('UPSERT', 'A', name, '192.0.2.1')] },
      }),
    );
  await put(first, 'a.example.com');
  const refusal = { name: 'PriorRequestNotComplete', $metadata: { httpStatusCode: 400 } };
  await expect(put(first, 'b.example.com')).rejects.toMatchObject(refusal);
  await put(second, 'a.example.org');
  clock.nowMs += 100;
  await put(first, 'b.example.com');
  await expect(client.send(new DeleteHostedZoneCommand({ Id: first }))).rejects.toMatchObject(refusal);
});

test('400: an invalid start name is InvalidInput', async () => {
  const { list } = await servedZone();
  await expect(list({ StartRecordName: 'a..example' })).rejects.toMatchObject({ name: 'InvalidInput' });
});
