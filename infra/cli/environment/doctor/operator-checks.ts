import { sourceVersion } from '../../../settings/build-cache.ts';
import { deployCommandOf } from '../../../settings/environment-name.ts';
import {
  countOf,
  type DoctorCheck,
  type Examination,
  type Finding,
  failure,
  listOf,
  ok,
  skipped,
  unknownState,
  warning,
} from './examination.ts';

/** What the operator function says of its environment. */
export const OPERATOR_CHECKS: readonly DoctorCheck[] = [
  {
    subject: 'operator',
    on: 'AWS and this machine',
    permissions: [],
    async run({ state, session, absence }) {
      const { functionName, stage } = session.target;
      if (absence !== undefined) {
        return failure(
          absence,
          'See the result for the stack. Another region: --region <region>. Another account: --profile <name>.',
        );
      }
      const own = sourceVersion();
      if (state?.version === own)
        return ok(`${functionName} responds, and runs this checkout's version, ${own}`);
      const deployed = state === undefined ? 'an older version' : `the version ${state.version}`;
      return warning(
        `${functionName} runs ${deployed}, but this checkout has ${own}.`,
        session.target.isLocal
          ? 'Restart it: npm start'
          : `Check out the deployed version, or deploy this one: ${deployCommandOf(stage)}`,
      );
    },
  },
  {
    subject: 'platform domain',
    on: 'AWS and this machine',
    permissions: [],
    run: withState(async ({ platformDomain }, { session }) =>
      platformDomain === null
        ? warning(
            "There is none, so custom domains can't be added.",
            `Set platformDomain in infra/settings/${session.target.stage}.json (infra/settings/README.md), and deploy.`,
          )
        : ok(platformDomain),
    ),
  },
  {
    subject: 'delegation',
    on: 'AWS and this machine',
    permissions: [],
    run: withState(async ({ delegation, platformDomain }) => {
      if (delegation === null) return skipped('there is no platform domain');
      return delegation.isInPlace
        ? ok(`${platformDomain} is delegated to this environment's zone`)
        : failure(
            `${platformDomain} isn't delegated to this environment's zone: public resolvers see ${delegation.observed.join('; ')}.`,
            `${delegation.remedy} Resolvers may cache the old answer for some time.`,
          );
    }),
  },
  {
    subject: 'API keys',
    on: 'AWS and this machine',
    permissions: [],
    run: withState(async ({ keys: { missing, orphans } }, { session }) => {
      const remedy = `Run: ${session.commandLine('keys reconcile')}`;
      if (missing.length > 0) {
        return failure(
          `API Gateway is missing ${countOf(missing.length, 'valid API key')}: ${listOf(missing)}.`,
          remedy,
        );
      }
      return orphans.length > 0
        ? warning(
            `API Gateway has ${countOf(orphans.length, 'API key')} without a valid record: ${listOf(orphans)}.`,
            `They are removed every five minutes. ${remedy}`,
          )
        : ok('API Gateway matches the records');
    }),
  },
];

type State = NonNullable<Examination['state']>;

function withState(
  run: (state: State, examination: Examination) => Promise<Finding>,
): (examination: Examination) => Promise<Finding> {
  return async examination =>
    examination.state === undefined ? unknownState(examination) : run(examination.state, examination);
}
