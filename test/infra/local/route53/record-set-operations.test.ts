import {
  type Change,
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
} from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { aliasOf, changeOf, servedRoute53 } from './served-route53.ts';

async function servedZone(Name = 'example.com') {
  const served = await servedRoute53();
  const zone = await served.created(Name);
  const list = (input: Omit<ListResourceRecordSetsCommandInput, 'HostedZoneId'> = {}) =>
    served.client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, ...input }));
  return {
    ...served,
    zone,
    list,
    change: (...changes: Change[]) => served.change(zone, ...changes),
    names: async () =>
      (await list()).ResourceRecordSets?.map(({ Name: name, Type }) => `${name} ${Type}`) ?? [],
  };
}

const OWN = ['example.com. NS', 'example.com. SOA'];

const rejection = (...messages: string[]) => ({
  name: 'InvalidChangeBatch',
  message: `[${messages.join(', ')}]`,
  $metadata: { httpStatusCode: 400 },
});

describe('CREATE, UPSERT and DELETE', () => {
  test('200: names in lower case with the dot, values as they were given', async () => {
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

  test('200: UPSERT replaces; DELETE and CREATE of one set in a batch too; values in any order', async () => {
    const { change, names } = await servedZone();
    await change(changeOf('UPSERT', 'A', 'a.example.com', '192.0.2.1', '192.0.2.2'));
    await change(
      changeOf('DELETE', 'A', 'a.example.com', '192.0.2.2', '192.0.2.1'),
      changeOf('CREATE', 'CNAME', 'a.example.com', 'b.example.org'),
    );
    expect(await names()).toEqual([...OWN, 'a.example.com. CNAME']);
  });

  test('400: CREATE of what exists, and nothing else of the batch happens', async () => {
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

  test('400: DELETE of what is not there, or is different', async () => {
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

  test('400: every fault of a batch is said', async () => {
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

  test('400: one set made twice in a batch', async () => {
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

  test('400: a zone is never without its SOA and NS', async () => {
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

describe('a CNAME', () => {
  test('400: at the apex', async () => {
    const { change } = await servedZone();
    await expect(change(changeOf('CREATE', 'CNAME', 'example.com', 'a.example.org'))).rejects.toMatchObject(
      rejection(
        'RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.',
      ),
    );
  });

  test('400: beside other types, whichever comes first', async () => {
    const { change } = await servedZone();
    await change(changeOf('CREATE', 'A', 'a.example.com', '192.0.2.1'));
    await expect(change(changeOf('UPSERT', 'CNAME', 'a.example.com', 'b.example.org'))).rejects.toMatchObject(
      rejection(
        'RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.',
      ),
    );
    await change(changeOf('CREATE', 'CNAME', 'c.example.com', 'b.example.org'));
    await expect(change(changeOf('CREATE', 'TXT', 'c.example.com', '"x"'))).rejects.toMatchObject(
      rejection(
        'RRSet of type TXT with DNS name c.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.',
      ),
    );
  });
});

describe('a value', () => {
  const fatal = (problem: string, value: string) =>
    rejection(`Invalid Resource Record: 'FATAL problem: ${problem} encountered with '${value}''`);

  test.each([
    ['A', '192.0.2', 'ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)'],
    ['AAAA', '192.0.2.1', 'AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)'],
    ['TXT', 'bare', 'InvalidCharacterString (Value should be enclosed in quotation marks)'],
    ['TXT', `"${'x'.repeat(256)}"`, 'CharacterStringTooLong (Value is too long)'],
    ['CNAME', 'a..example.org', 'DomainLabelEmpty (Domain label is empty)'],
    ['CNAME', 'a b', 'UnsupportedCharacter (Value contains unsupported characters)'],
    ['CAA', '0 issue', 'CAARRDATANotThreeFields (Value is not flags, tag and value)'],
    ['CAA', '256 issue "x"', 'IllegalInteger (256 is not an integer of 0 to 255)'],
    ['MX', 'mail.example.com', 'MXRRDATANotTwoFields (Value is not preference and mail server)'],
  ] as const)('400: %s %s', async (type, value, problem) => {
    const { change } = await servedZone();
    await expect(change(changeOf('CREATE', type, 'a.example.com', value))).rejects.toMatchObject(
      fatal(problem, value),
    );
  });

  test('400: twice, or two of a CNAME', async () => {
    const { change } = await servedZone();
    await expect(
      change(changeOf('CREATE', 'A', 'a.example.com', '192.0.2.1', '192.0.2.1')),
    ).rejects.toMatchObject(rejection("Duplicate Resource Record: '192.0.2.1'"));
    await expect(
      change(changeOf('CREATE', 'CNAME', 'a.example.com', 'b.example.org', 'c.example.org')),
    ).rejects.toThrow('only one resource record');
  });

  test('200: strings of 255 octets', async () => {
    const { change } = await servedZone();
    await change(changeOf('CREATE', 'TXT', 'a.example.com', `"${'x'.repeat(255)}" "${'y'.repeat(255)}"`));
  });
});

describe('an alias', () => {
  const REGIONAL = 'd-abcdef1234.execute-api.us-east-1.amazonaws.com';

  test('200: of a domain name of API Gateway, and of a record of the zone', async () => {
    const { change, zone, list } = await servedZone();
    await change(
      aliasOf('CREATE', 'example.com', REGIONAL, 'Z1UJRXOUMOOFQ8'),
      aliasOf('CREATE', 'www.example.com', 'example.com', zone),
    );
    const { ResourceRecordSets = [] } = await list();
    expect(ResourceRecordSets[0]).toEqual({
      Name: 'example.com.',
      Type: 'A',
      AliasTarget: { HostedZoneId: 'Z1UJRXOUMOOFQ8', DNSName: `${REGIONAL}.`, EvaluateTargetHealth: false },
    });
    await change(aliasOf('DELETE', 'example.com', REGIONAL, 'Z1UJRXOUMOOFQ8'));
  });

  test('400: of what is not there', async () => {
    const { change, zone } = await servedZone();
    await expect(change(aliasOf('CREATE', 'a.example.com', 'b.example.com', zone))).rejects.toMatchObject(
      rejection(
        `Tried to create an alias that targets b.example.com., type A in zone ${zone}, but that target was not found`,
      ),
    );
    await expect(
      change(aliasOf('CREATE', 'a.example.com', 'b.example.org', 'Z1UJRXOUMOOFQ8')),
    ).rejects.toMatchObject(
      rejection(
        'Tried to create an alias that targets b.example.org., type A in zone Z1UJRXOUMOOFQ8, but the alias target name does not lie within the target zone',
      ),
    );
  });

  test('400: with a TTL too, or neither', async () => {
    const { client, zone } = await servedZone();
    const send = (ResourceRecordSet: object) =>
      client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: zone,
          ChangeBatch: {
            Changes: [
              {
                Action: 'CREATE',
                ResourceRecordSet: { Name: 'a.example.com', Type: 'A', ...ResourceRecordSet },
              },
            ],
          },
        }),
      );
    const AliasTarget = { DNSName: REGIONAL, HostedZoneId: 'Z', EvaluateTargetHealth: false };
    const where = 'in Change with [Action=CREATE, Name=a.example.com, Type=A, SetIdentifier=null]';
    await expect(send({ AliasTarget, TTL: 60 })).rejects.toMatchObject({
      name: 'InvalidInput',
      message: expect.stringContaining(`but found more than one ${where}`),
    });
    await expect(send({ TTL: 60 })).rejects.toThrow(`but found none ${where}`);
    await expect(
      send({ TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }], SetIdentifier: 'x', Weight: 1 }),
    ).rejects.toMatchObject({
      name: 'NotImplemented',
      message: expect.stringContaining('SetIdentifier'),
    });
  });
});

test('501: a type that is not known is named', async () => {
  const { change } = await servedZone();
  await expect(change(changeOf('CREATE', 'SRV', 'a.example.com', '1 1 1 b.example.com'))).rejects.toThrow(
    'Records of the type SRV are not supported by the local runtime.',
  );
});

describe('ListResourceRecordSets', () => {
  test('200: by the labels from the last to the first, then by type, page by page', async () => {
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
