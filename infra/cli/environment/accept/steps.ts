import { countOf } from '../../framework/style.ts';
import { diagnose } from '../doctor/doctor-command.ts';
import { DomainTrial } from '../smoke/domain-trial.ts';
import { smoke } from '../smoke/smoke-command.ts';
import { raiseAlarms } from './alarms-step.ts';
import { sendLargeBodies, sendMediaTypes } from './bodies-steps.ts';
import { tryDomains } from './domains-step.ts';
import { measureGateway } from './gateway-step.ts';
import { measureKeys, readKeyTags } from './keys-steps.ts';
import type { Acceptance, Outcome } from './report.ts';
import { simulateRoles } from './roles-step.ts';
import { detectDrift, tryTeardown } from './stack-steps.ts';

/** One thing that a first deploy decides. An error that it throws is its failure. */
export interface Step {
  readonly name: string;
  readonly title: string;
  /** Whether there is nothing to decide on one machine. */
  readonly isOnlyOnAws?: true;
  run(acceptance: Acceptance): Promise<Outcome>;
}

export const STEPS: readonly Step[] = [
  {
    name: 'doctor',
    title: 'problems in the environment',
    async run({ session, settings }) {
      const { findings } = await diagnose(session, settings);
      const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
      return {
        result: count('failure') > 0 ? 'failed' : 'ok',
        message: `${countOf(count('ok'), 'subject')} ok, ${countOf(count('warning'), 'warning')}, ${countOf(count('failure'), 'failure')}`,
        facts: findings
          .filter(({ status }) => status === 'warning' || status === 'failure')
          .map(({ status, subject, message }) => `${status}: ${subject}: ${message}`),
      };
    },
  },
  {
    name: 'smoke',
    title: 'every operation as a client sees it',
    async run({ session, settings, domains }) {
      // The step of the domains tries the same flow with the names that were given.
      const hasNames = session.target.isLocal || Object.values(domains).some(name => name !== undefined);
      const trial = hasNames ? undefined : new DomainTrial(session, settings.managedZoneIds);
      const { checks, broken: names } = await smoke(session, settings, trial);
      const notable = checks.filter(({ outcome }) => outcome !== 'ok');
      return {
        result: names.length > 0 ? 'failed' : 'ok',
        message: `${countOf(checks.length, 'check')}, ${names.length} broken`,
        facts: notable.map(({ outcome, name, message }) => `${outcome}: ${name}: ${message}`),
      };
    },
  },
  {
    name: 'key-spread',
    title: 'how long a new API key takes to work, and a revoked one to stop',
    run: measureKeys,
  },
  {
    name: 'key-tags',
    title: 'whether API Gateway lists API keys with their tags',
    run: readKeyTags,
  },
  {
    name: 'media-types',
    title: 'whether API Gateway itself responds correctly to any media type',
    run: sendMediaTypes,
  },
  {
    name: 'large-bodies',
    title: 'whether bodies that are too large are refused correctly',
    run: sendLargeBodies,
  },
  {
    name: 'gateway',
    title: "what AWS doesn't document about API Gateway",
    run: ({ session }) => measureGateway(session),
  },
  {
    name: 'domains',
    title: 'subdomain, delegated zone and apex, from claim to removal',
    run: ({ session, settings, domains }) => tryDomains(session, domains, settings.managedZoneIds),
  },
  {
    name: 'attach-role',
    title: "whether roles are kept from others' domain names",
    isOnlyOnAws: true,
    run: simulateRoles,
  },
  {
    name: 'alarm-mail',
    title: "whether an alarm's email arrives",
    isOnlyOnAws: true,
    run: raiseAlarms,
  },
  {
    name: 'drift',
    title: 'whether the stack still matches its template',
    isOnlyOnAws: true,
    run: detectDrift,
  },
  {
    name: 'teardown',
    title: 'whether the environment can be removed',
    run: tryTeardown,
  },
];
