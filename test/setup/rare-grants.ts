import type { RareGrant } from './grant-usage.ts';

/** The grants that no test uses, each with the reason why the role has it. */
export const RARE_GRANTS: readonly RareGrant[] = [
  {
    grant: /: logs:(CreateLogStream|PutLogEvents) on /,
    reason: 'Lambda writes the log of a function; the local runtime writes it to a file without a call.',
  },
  {
    grant: /^DomainFlow(Verify|Remove)Role: lambda:InvokeFunction on function:\w+:\*$/,
    reason: 'CDK adds the versions of a function, and the machines invoke the function itself.',
  },
];
