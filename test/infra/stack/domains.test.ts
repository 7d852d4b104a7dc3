import { describe, expect, test } from 'vitest';
import { otherEnvironments } from './other-environments/assembly.ts';
import { grantsOf, resourcesOf, STACKS, type Template, templateOf } from './templates.ts';

/** What roles may do with hosted zones, one line for each: `DomainFlowCheckDnsRole route53:GetHostedZone on Z1`. */
const zoneGrants = (template: Template) =>
  grantsOf(template).flatMap(({ role, grant }) => {
    const [, action, zone] = /^(route53:\w+) on .*hostedzone\/(\w+)$/.exec(grant) ?? [];
    return action ? `${role} ${action} on ${zone}` : [];
  });

const idsKnown = (template: Template) =>
  [...resourcesOf(template, 'AWS::Lambda::Function').values()]
    .map(({ Properties }) => Properties.Environment?.Variables?.MANAGED_ZONE_IDS)
    .filter(ids => ids !== undefined);

describe.each(STACKS)('without managed zones, as %s is', stack => {
  test('no function may look at or change another zone than the platform’s', () => {
    const template = templateOf(stack);
    const grants = zoneGrants(template);
    expect(grants).not.toEqual([]);
    expect(grants.filter(grant => !grant.endsWith(' DomainsZone'))).toEqual([]);
    expect(new Set(idsKnown(template))).toEqual(new Set(['[]']));
  });
});

describe('with managed zones', () => {
  const { template } = otherEnvironments().getStackByName('Petstore-Production');

  test('the steps that make records and the operator, who restores them, may change exactly these', () => {
    const steps = ['CheckDns', 'CheckCertificate', 'AttachDomain', 'TakeDown'];
    const makers = [...steps.map(name => `DomainFlow${name}`), 'OperatorOperate', 'OperatorCheck'];
    const expected = makers.flatMap(maker =>
      ['Z0ZOO', 'Z0FARM'].flatMap(zone => [
        `${maker}Role route53:ChangeResourceRecordSets on ${zone}`,
        `${maker}Role route53:GetHostedZone on ${zone}`,
      ]),
    );
    const grants = zoneGrants(template).filter(grant => !grant.endsWith(' DomainsZone'));
    expect(grants.toSorted()).toEqual(expected.toSorted());
  });

  test('they create and delete only the types of records that domains need there', () => {
    const actions = 'route53:ChangeResourceRecordSetsActions';
    const types = 'route53:ChangeResourceRecordSetsRecordTypes';
    const conditions = grantsOf(template)
      .filter(({ grant }) => /ChangeResourceRecordSets on .*Z0ZOO$/.test(grant))
      .map(({ condition }) => condition);
    expect(conditions).toHaveLength(6);
    for (const condition of conditions) {
      expect(condition).toEqual({
        'ForAllValues:StringEquals': {
          [types]: ['A', 'AAAA', 'CNAME', 'TXT'],
          [actions]: ['CREATE', 'DELETE'],
        },
        Null: { [types]: 'false', [actions]: 'false' },
      });
    }
  });

  test('the steps know them', () => {
    expect(new Set(idsKnown(template))).toEqual(new Set(['["Z0ZOO","Z0FARM"]']));
  });
});

describe.each(STACKS)('the zone of the platform domain of %s', stack => {
  test('has the name that operators are told and that grants are bound to', () => {
    const template = templateOf(stack);
    const [zone] = [...resourcesOf(template, 'AWS::Route53::HostedZone').values()];
    const operator = resourcesOf(template, 'AWS::Lambda::Function').get('OperatorOperateFunction');
    expect(zone?.Properties.Name).toBe(`${operator?.Properties.Environment.Variables.PLATFORM_DOMAIN}.`);
    expect(zone?.Properties.HostedZoneFeatures).toEqual({ EnableAcceleratedRecovery: true });
  });
});
