import { factsOf } from '../../../../shared/domains/life/domain-status.ts';
import type { DomainSummary } from '../../../../shared/operator/contract.ts';
import { isInNeed, needsOperator } from '../../../operator/domains/domain-report.ts';
import { dueTime, relativeTime } from '../../../operator/readable-times.ts';
import { deployCommandOf } from '../../../settings/environment-name.ts';
import { sourceVersion } from '../../../tools/build-cache.ts';
import { listSummaries } from '../../domains/domain-session.ts';
import { countOf, listOf } from '../../framework/style.ts';
import { keyRemedies } from '../../keys/keys-command.ts';
import { type Finding, failure, ok, skipped, warning } from '../check.ts';
import { type AccountCheck, type Examination, UNKNOWN_STATE } from './examination.ts';

export const OPERATOR_CHECKS: readonly AccountCheck[] = [
  {
    name: 'operator',
    async run({ state, session, region }) {
      const { functionName, stage } = session.target;
      if (state === undefined) {
        return failure(
          `There is no function ${functionName} in ${region}.`,
          `See the result for the stack. To deploy it: ${deployCommandOf(stage)}. Another region: --region <region>. Another account: --profile <name>.`,
        );
      }
      const own = sourceVersion();
      if (state.version === own)
        return ok(`${functionName} responds, and runs this checkout's version, ${own}`);
      return warning(
        `${functionName} runs the version ${state.version}, but this checkout has ${own}.`,
        session.target.isLocal
          ? 'Restart it: npm start'
          : `Check out the deployed version, or deploy this one: ${deployCommandOf(stage)}`,
      );
    },
  },
  {
    name: 'platform domain',
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
    name: 'delegation',
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
    name: 'API keys',
    run: withState(async ({ keys }, { session }) => {
      const { valid, missing, disabled, orphans, recent } = keys;
      const unserved = [...missing, ...disabled.map(({ id }) => id)];
      if (unserved.length > 0) {
        return failure(
          `API Gateway refuses ${countOf(unserved.length, 'valid API key')}: ${listOf(unserved)}.`,
          keyRemedies(session, keys).join(' '),
        );
      }
      if (orphans.length > 0) {
        return warning(
          `API Gateway has ${countOf(orphans.length, 'API key')} without a valid record: ${listOf(orphans)}.`,
          `They are removed every five minutes. Run: ${session.commandLine('keys reconcile')}`,
        );
      }
      if (valid + recent === 0) return skipped('there is none');
      const unrecorded = recent > 0 ? `; ${recent} without a record, created in the last 15 minutes` : '';
      return ok(`API Gateway has every valid key (${valid})${unrecorded}`);
    }),
  },
  {
    name: 'custom domains',
    run: withState(async (_, { session }) => {
      const all = await listSummaries(session);
      if (all.length === 0) return skipped('there is none');
      const nowMs = Date.now();
      const troubled = all.filter(needsOperator).map(withReason);
      const due = all
        .flatMap(({ domain, dueAt }) => (dueAt ? { domain, dueAt } : []))
        .toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : 1));
      const overdue = due
        .filter(({ dueAt }) => nowMs - Date.parse(dueAt) > OVERDUE_MS)
        .map(({ domain, dueAt }) => `${domain} (${relativeTime(dueAt, nowMs)})`);
      const faults = [
        {
          domains: troubled,
          what: 'The last check found something wrong',
          remedy: `See what, and what to do: ${session.commandLine('domains show <domain> --project <project>')}`,
        },
        {
          domains: overdue,
          what: 'Overdue',
          remedy: `A function looks after due domains every five minutes. See why it doesn't: ${session.commandLine('logs --group reconcile-domains --since 1h')}`,
        },
      ].filter(({ domains }) => domains.length > 0);
      if (faults.length > 0) {
        return warning(
          faults.map(({ what, domains }) => `${what}: ${listOf(domains)}.`).join(' '),
          faults.map(({ remedy }) => remedy).join(' '),
        );
      }
      const next = due[0] ? `; the next is due ${dueTime(due[0].dueAt, nowMs)}` : '';
      return ok(`${domainsText(all)}${next}`);
    }),
  },
];

/** How the domains are, if none of them needs an operator. */
function domainsText(all: readonly DomainSummary[]): string {
  const waiting = all.filter(isInNeed);
  const others = all.filter(domain => !waiting.includes(domain));
  const live = others.filter(domain => factsOf(domain).group === 'served');
  const rest = others.length - live.length;
  return [
    ...(live.length > 0
      ? [`${countOf(live.length, 'live domain')} passed ${live.length === 1 ? 'its' : 'their'} last check`]
      : []),
    ...(rest > 0 ? [`${rest} ${rest === 1 ? "isn't" : "aren't"} live yet, or being removed`] : []),
    ...(waiting.length > 0
      ? [
          `${waiting.length} ${waiting.length === 1 ? 'needs' : 'need'} attention from ${waiting.length === 1 ? 'its owner' : 'their owners'}: ${listOf(waiting.map(withReason))}`,
        ]
      : []),
  ].join('; ');
}

function withReason({ domain, reason, status }: DomainSummary): string {
  return `${domain} (${reason ?? status})`;
}

/** The scheduled reconcile runs every five minutes, and may leave a few domains to its next run. */
const OVERDUE_MS = 20 * 60 * 1000;

type State = NonNullable<Examination['state']>;

function withState(
  run: (state: State, examination: Examination) => Promise<Finding>,
): (examination: Examination) => Promise<Finding> {
  return async examination =>
    examination.state === undefined ? UNKNOWN_STATE : run(examination.state, examination);
}
