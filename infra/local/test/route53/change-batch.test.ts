import { ChangeResourceRecordSetsCommand } from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { aliasOf, changeOf, rejection, servedZone } from '../../testing/served-route53.ts';

describe('a CNAME', () => {
  test('400: is at the apex', async () => {
    const { change } = await servedZone();
    await expect(change(changeOf('CREATE', 'CNAME', 'example.com', 'a.example.org'))).rejects.toMatchObject(
      rejection(
        'RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.',
      ),
    );
  });

  test('400: is beside other types, whichever was first', async () => {
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
  ] as const)('400: is invalid: %s %s', async (type, value, problem) => {
    const { change } = await servedZone();
    await expect(change(changeOf('CREATE', type, 'a.example.com', value))).rejects.toMatchObject(
      fatal(problem, value),
    );
  });

  test('400: is given twice, or is the second of a CNAME', async () => {
    const { change } = await servedZone();
    await expect(
      change(changeOf('CREATE', 'A', 'a.example.com', '192.0.2.1', '192.0.2.1')),
    ).rejects.toMatchObject(rejection("Duplicate Resource Record: '192.0.2.1'"));
    await expect(
      change(changeOf('CREATE', 'CNAME', 'a.example.com', 'b.example.org', 'c.example.org')),
    ).rejects.toThrow('only one resource record');
  });

  test('200: may have several strings of 255 octets each', async () => {
    const { change } = await servedZone();
    await change(changeOf('CREATE', 'TXT', 'a.example.com', `"${'x'.repeat(255)}" "${'y'.repeat(255)}"`));
  });
});

describe('an alias', () => {
  const REGIONAL = 'd-abcdef1234.execute-api.us-east-1.amazonaws.com';

  test('200: targets a domain name of API Gateway or a record of the zone', async () => {
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

  test('400: targets a name that does not exist, or names another zone than that of the name', async () => {
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
    await expect(change(aliasOf('CREATE', 'a.example.com', REGIONAL, 'Z2ANOTHERZONE'))).rejects.toMatchObject(
      rejection(
        `Tried to create an alias that targets ${REGIONAL}., type A in zone Z2ANOTHERZONE, but the alias target name does not lie within the target zone`,
      ),
    );
  });

  test('400: has a TTL too, or neither target nor records', async () => {
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
