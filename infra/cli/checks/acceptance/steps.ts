import { countOf } from '../../framework/style.ts';
import { failed, ok } from '../check.ts';
import { diagnose } from '../doctor-command.ts';
import { DomainTrial } from '../domain-trial.ts';
import { smoke } from '../smoke-command.ts';
import { raiseAlarms } from './alarms.ts';
import { sendLargeBodies, sendMediaTypes } from './bodies.ts';
import { tryDomains } from './domains.ts';
import { measureGateway } from './gateway.ts';
import { measureKeys, readKeyTags } from './keys.ts';
import type { Step } from './report.ts';
import { simulateRoles } from './roles.ts';
import { detectDrift, tryTeardown } from './stack.ts';

export const STEPS: readonly Step[] = [
  {
    name: 'doctor',
    title: 'problems in the environment',
    async run({ session, settings }) {
      const { findings } = await diagnose(session, settings);
      const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
      const verdict = count('failure') > 0 ? failed : ok;
      return verdict(
        `${countOf(count('ok'), 'subject')} ok, ${countOf(count('warning'), 'warning')}, ${countOf(count('failure'), 'failure')}`,
        findings
          .filter(({ status }) => status === 'warning' || status === 'failure')
          .map(({ status, subject, message }) => `${status}: ${subject}: ${message}`),
      );
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
      const verdict = names.length > 0 ? failed : ok;
      return verdict(
        `${countOf(checks.length, 'check')}, ${names.length} broken`,
        notable.map(({ outcome, name, message }) => `${outcome}: ${name}: ${message}`),
      );
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
    run: measureGateway,
  },
  {
    name: 'domains',
    title: 'subdomain, delegated zone and apex, from claim to removal',
    run: tryDomains,
  },
  {
    name: 'attach-role',
    title: "whether roles are kept from others' domain names",
    only: 'aws',
    permissions: [
      'iam:SimulatePrincipalPolicy',
      'cloudformation:DescribeStacks',
      'cloudformation:ListStackResources',
    ],
    run: simulateRoles,
  },
  {
    name: 'alarm-mail',
    title: "whether an alarm's email arrives",
    only: 'aws',
    permissions: ['cloudwatch:DescribeAlarms', 'cloudwatch:SetAlarmState', 'cloudwatch:DescribeAlarmHistory'],
    run: raiseAlarms,
  },
  {
    name: 'drift',
    title: 'whether the stack still matches its template',
    only: 'aws',
    run: detectDrift,
  },
  {
    name: 'teardown',
    title: 'whether the environment can be removed',
    run: tryTeardown,
  },
];
