import { destroyCommandOf } from '../../../settings/environment-name.ts';
import type { Target } from '../../framework/target.ts';

interface Remains {
  /** What the teardown does not remove, a sentence each. */
  readonly leaves: readonly string[];
  /** The commands that delete the rest. */
  readonly deletion: readonly string[];
}

const DATA = 'animals, orders, projects, the records of API keys, the audit log';

/** What is left of an environment after its teardown, and how that is deleted. */
export function remainsOf(target: Target): Remains {
  if (target.isLocal) {
    return {
      leaves: [`The tables: ${DATA}.`, 'The hosted zone of the platform domain, without records of domains.'],
      deletion: ['rm -r .local   # after npm start has ended; deletes the data of all environments'],
    };
  }
  // As `keepsData` of infra/stack/environments.ts, which this command does not load: it takes seconds.
  const isKept = target.stage === 'production';
  const fate = (pronoun: string, verb: string) =>
    isKept
      ? `The deletion of the stack keeps ${pronoun}.`
      : `${pronoun === 'it' ? 'It' : 'They'} ${verb} deleted with the stack.`;
  return {
    leaves: [
      `The tables: ${DATA}. ${fate('them', 'are')}`,
      `The hosted zone of the platform domain, if there is one, without records of domains. ${fate('it', 'is')}`,
      "The logs of the functions, which are deleted with the stack, and API Gateway's own logs, which are not.",
      'The DNS records that owners of domains created at their DNS providers: ask them to delete those.',
    ],
    deletion: [
      ...(isKept ? [unprotection(target)] : []),
      withAwsOptions(destroyCommandOf(target.stage), target),
    ],
  };
}

/** A stack that keeps its data resists its deletion. */
function unprotection(target: Target): string {
  const command = 'aws cloudformation update-termination-protection --no-enable-termination-protection';
  return withAwsOptions(`${command} --stack-name ${target.stackName}`, target);
}

function withAwsOptions(command: string, { aws: { profile } }: Target): string {
  return profile ? `${command} --profile ${profile}` : command;
}
