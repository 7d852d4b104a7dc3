import type { Exceptions, RareGrant } from './grant-usage.ts';

/** The grants that no test uses, each with the reason why the role has it. */
const RARE_GRANTS: readonly RareGrant[] = [
  {
    grant: /: logs:(CreateLogStream|PutLogEvents) on /,
    reason: 'Lambda writes the log of a function; the local runtime writes it to a file without a call.',
  },
  {
    grant: /^DomainFlow(Verify|Remove)Role: lambda:InvokeFunction on function:\w+:\*$/,
    reason: 'CDK adds the versions of a function, and the machines invoke the function itself.',
  },
  {
    grant:
      /^DomainFlow(Verify|Remove)Role: lambda:InvokeFunction on function:DomainFlowRecordFailureFunction$/,
    reason: 'A flow records a failure when a step has failed 20 times, for an hour.',
  },
  {
    grant: /^DomainFlowRecordFailureRole: dynamodb:(GetItem|PutItem) on table\/DomainsTable$/,
    reason: 'It runs when a step has failed 20 times; test/functions/domains tests what it writes.',
  },
  {
    grant: new RegExp(
      `^DomainChecksReconcileDomainsRole: (${[
        'acm:(AddTagsToCertificate|DeleteCertificate|DescribeCertificate|ListCertificates|ListTagsForCertificate|RequestCertificate)',
        'apigateway:(DELETE|GET|PATCH|POST)',
        'dynamodb:(GetItem|PutItem|UpdateItem)',
        'route53:ChangeResourceRecordSets',
        'states:(DescribeExecution|StartExecution|StopExecution)',
      ].join('|')}) on `,
    ),
    reason:
      'It looks at every domain, and acts where the operator ended between a change and what follows from it, or an execution died; test/shared/domains/steps makes it do so.',
  },
  {
    grant: /^(OperatorOperate|ProjectsReconcileEndpoint)Role: apigateway:PATCH on \/restapis\//,
    reason:
      'No test of the running service closes the default endpoint, which its other tests use; test/shared/projects does.',
  },
  {
    grant: /^OperatorOperateRole: states:DescribeExecution on /,
    reason:
      'The command that starts a removal asks nothing; one that comes half a minute later does, as test/shared/domains/steps tests.',
  },
  {
    grant: /^OperatorOperateRole: acm:DeleteCertificate on /,
    reason: 'A certificate of the claim failed before the domain was added once more.',
  },
  {
    grant: /^DomainFlowAttachDomainRole: apigateway:PATCH on \/domainnames\/\*$/,
    reason: 'The certificate of a domain that was live is replaced after it was lost.',
  },
  {
    grant:
      /^DomainFlowAttachDomainRole: apigateway:(PATCH|DELETE) on \/domainnames\/\*\/basepathmappings\/\*$/,
    reason: 'A removal or another routing supersedes the attachment.',
  },
];

/** The calls that a role may be denied, each with the reason. */
const EXPECTED_DENIALS: readonly RareGrant[] = [
  {
    grant: /: (apigateway:DELETE on \/apikeys\/|acm:DeleteCertificate on certificate\/)/,
    reason:
      'Another call deleted it after it was listed: what is gone has no tags, which the grant asks for.',
  },
];

export const GRANT_EXCEPTIONS: Exceptions = {
  rareGrants: RARE_GRANTS,
  expectedDenials: EXPECTED_DENIALS,
};
