import type { Target } from '../target.ts';

interface Remains {
  /** What the teardown does not remove, a sentence each. */
  readonly leaves: readonly string[];
  /** The command that deletes the rest. */
  readonly deletion: string;
}

const DATA = 'animals, orders, projects, the records of API keys, the audit log';

/** What is left of an environment after its teardown, and how that is deleted. */
export function remainsOf({ stage, stackName, isLocal, aws }: Target): Remains {
  if (isLocal) {
    return {
      leaves: [`The tables: ${DATA}.`, 'The hosted zone of the platform domain, without records of domains.'],
      deletion: 'rm -r .local   # after npm start has ended: deletes the data of both environments',
    };
  }
  const isKept = stage === 'production';
  const fate = isKept
    ? 'The deletion of the stack keeps them.'
    : 'They are deleted with the stack, and their data with them.';
  return {
    leaves: [
      `The tables: ${DATA}. ${fate}`,
      `The hosted zone of the platform domain, if there is one, without records of domains. ${isKept ? 'The deletion of the stack keeps it.' : 'It is deleted with the stack.'}`,
      "The logs of the functions, which are deleted with the stack, and API Gateway's own logs, which are not.",
      'DNS records that owners of domains created at their own DNS providers: ask them to delete those.',
    ],
    deletion: [`npx cdk destroy ${stackName}`, ...(aws.profile ? [`--profile ${aws.profile}`] : [])].join(
      ' ',
    ),
  };
}
