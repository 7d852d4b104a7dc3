import { describe, expect, test } from 'vitest';
import { listOf, placeOf, type Statement } from './policy-statements.ts';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

const GATEWAY = 'arn:<AWS::Partition>:apigateway:<AWS::Region>::';
const tagsOf = (collection: string) =>
  `${GATEWAY}/tags/arn%3A<AWS::Partition>%3Aapigateway%3A<AWS::Region>%3A%3A%2F${collection}%2F*`;
const CERTIFICATES = 'arn:<AWS::Partition>:acm:<AWS::Region>:<AWS::AccountId>:certificate/*';
const EVENT_BUS = 'arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/default';
const LINKED_ROLE =
  'arn:<AWS::Partition>:iam::<AWS::AccountId>:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';

describe.each(STACKS)('the conditions of the grants of %s', stack => {
  const template = templateOf(stack);
  const stage = stack.replace('Petstore-', '').toLowerCase();
  const [zone] = [...resourcesOf(template, 'AWS::Route53::HostedZone').values()];
  const platformDomain = String(zone?.Properties.Name).replace(/\.$/, '');
  const statements = [...resourcesOf(template, 'AWS::IAM::Policy').values()].flatMap(
    ({ Properties }): Statement[] => Properties.PolicyDocument.Statement,
  );
  const grants = statements.flatMap(({ Action, Resource, Condition }) =>
    listOf(Action).flatMap(action =>
      listOf(Resource).map(resource => ({ grant: `${action} on ${placeOf(resource)}`, Condition })),
    ),
  );

  const isCreatedAsOwn = { StringEquals: { 'aws:RequestTag/petstore:environment': stage } };
  const isOwn = { StringEquals: { 'aws:ResourceTag/petstore:environment': stage } };
  const types = 'route53:ChangeResourceRecordSetsRecordTypes';
  const names = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';

  /** Every grant that depends on the request or on the tags of the resource, and on what. */
  const CONDITIONS: Record<string, unknown> = {
    [`apigateway:POST on ${GATEWAY}/apikeys`]: isCreatedAsOwn,
    [`apigateway:PUT on ${tagsOf('apikeys')}`]: isCreatedAsOwn,
    [`apigateway:DELETE on ${GATEWAY}/apikeys/*`]: isOwn,
    [`apigateway:POST on ${GATEWAY}/domainnames`]: isCreatedAsOwn,
    [`apigateway:PUT on ${tagsOf('domainnames')}`]: isCreatedAsOwn,
    [`apigateway:PATCH on ${GATEWAY}/domainnames/*`]: isOwn,
    [`apigateway:DELETE on ${GATEWAY}/domainnames/*`]: isOwn,
    [`acm:DeleteCertificate on ${CERTIFICATES}`]: isOwn,
    [`acm:AddTagsToCertificate on ${CERTIFICATES}`]: {
      ...isCreatedAsOwn,
      StringEqualsIfExists: isOwn.StringEquals,
    },
    'acm:RequestCertificate on *': {
      StringEquals: { ...isCreatedAsOwn.StringEquals, 'acm:ValidationMethod': 'DNS' },
    },
    [`events:PutEvents on ${EVENT_BUS}`]: {
      'ForAllValues:StringEquals': {
        'events:source': [`petstore.${stage}`],
        'events:detail-type': ['Domain live', 'Domain needs attention', 'Domain failed', 'Domain removed'],
      },
      Null: { 'events:source': 'false', 'events:detail-type': 'false' },
    },
    [`iam:CreateServiceLinkedRole on ${LINKED_ROLE}`]: {
      StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' },
    },
    'route53:ChangeResourceRecordSets on arn:<AWS::Partition>:route53:::hostedzone/DomainsZone': {
      'ForAllValues:StringEquals': { [types]: ['CNAME'] },
      'ForAllValues:StringLike': { [names]: [`*.${platformDomain}`] },
      Null: { [types]: 'false', [names]: 'false' },
    },
  };

  test.each(Object.keys(CONDITIONS))('%s has its condition in every role', listed => {
    const found = grants.filter(({ grant }) => grant === listed);
    expect(found.length).toBeGreaterThan(0);
    for (const { Condition } of found) expect(Condition).toEqual(CONDITIONS[listed]);
  });

  test('no other grant has a condition', () => {
    const conditional = grants.filter(({ Condition }) => Condition !== undefined).map(({ grant }) => grant);
    expect(new Set(conditional)).toEqual(new Set(Object.keys(CONDITIONS)));
  });
});
