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
