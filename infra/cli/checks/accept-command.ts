import { writeFileSync } from 'node:fs';
import { CommandError, EXIT_CODES, usageError } from '../../operator/connection/command-error.ts';
import { connectOperator } from '../../operator/connection/invoke-operator.ts';
import { readName } from '../../operator/domains/dns-record.ts';
import { sourceVersion } from '../../tools/build-cache.ts';
import { DomainSession } from '../domains/domain-session.ts';
import type { GlobalOptions } from '../framework/global-options.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/style.ts';
import {
  type Acceptance,
  DOMAIN_KINDS,
  type DomainNames,
  durationText,
  exitCodeOf,
  markdownOf,
  type Report,
  type Step,
  type StepReport,
  stepReportOf,
  summaryOf,
} from './acceptance/report.ts';
import { STEPS } from './acceptance/steps.ts';
import { readEnvironmentSettings, SETTINGS_OPTION } from './account/examination.ts';
import { runChecks } from './run-checks.ts';

interface Options extends DomainNames {
  readonly only?: readonly string[];
  readonly skip?: Readonly<Record<string, string>>;
  readonly report?: string;
  readonly settings?: string;
  readonly teardown?: true;
}

const STEP_NAMES = STEPS.map(({ name }) => name);

export function declareGroup(accept: PetstoreCommand): void {
  accept
    .description(
      `Tests the first deploy to an AWS account, and measures what can't be known without one. Prints a Markdown report to send to the maintainers; it masks the account and contains no API keys. A failed step doesn't stop the others.\n\nSteps:\n${STEPS.map(stepHelp).join('\n')}\n\nIt creates temporary API keys and removes them, takes the domains you name through the whole flow (they must not be in use, because they are removed at the end), and triggers an alarm. You create the DNS records it shows, unless the setting managedZoneIds names their zone. With --local, it uses domains of its own and skips what needs AWS; start the service with "npm start -- --wait-scale 0.02", or the domains take ten minutes. On AWS it takes half an hour to two hours.\n\nExit codes: 0 no step failed, 1 a step failed.`,
    )
    .option('--only <steps>', 'the steps to run, such as key-spread,drift', readSteps)
    .option('--skip <step=reason>', 'a step to skip, and why; can be repeated', readSkip)
    .option('--report <file>', 'write the report to this file, updated after each step')
    .option('--subdomain <name>', 'a name for the step domains, such as www.example.com', readName)
    .option('--delegated <name>', 'a name in a delegated zone, such as www.dev.example.com', readName)
    .option('--apex <name>', 'a registrable domain, such as example.org', readName)
    .option('--teardown', 'also tear the environment down at the end; not in production')
    .option(...SETTINGS_OPTION)
    .examples(
      'accept --report acceptance.md --subdomain www.example.com --delegated www.dev.example.com --apex example.org',
      'accept --only key-spread,key-tags,drift',
      "accept --skip 'alarm-mail=nobody reads the mailbox today' --yes",
      'accept --local',
    )
    .action(async (options: Options, command: PetstoreCommand) => {
      const { local } = command.optsWithGlobals<GlobalOptions>();
      if (local && DOMAIN_KINDS.some(kind => options[kind] !== undefined)) {
        throw usageError('With --local, the step domains uses its own names. Leave yours out.');
      }
      const session = new DomainSession(command);
      await confirmStart(session, options);
      await acceptEnvironment(session, options);
    });
}

function stepHelp({ name, title, only }: Step): string {
  return `  ${name.padEnd(Math.max(...STEP_NAMES.map(({ length }) => length)))}  ${title}${only === 'aws' ? ' (AWS only)' : ''}`;
}

function readSteps(text: string): string[] {
  return text.split(',').map(name => requireStep('--only', name.trim()));
}

function readSkip(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [name = '', reason = ''] = text.split(/=(.*)/s).map(part => part.trim());
  requireStep('--skip', name);
  if (reason === '') throw usageError(`--skip needs a reason for the report, such as ${name}="not today".`);
  return { ...earlier, [name]: reason };
}

function requireStep(option: string, name: string): string {
  if (STEP_NAMES.includes(name)) return name;
  throw usageError(`${option}: there is no step "${name}". The steps are ${STEP_NAMES.join(', ')}.`);
}

async function confirmStart(session: DomainSession, { teardown }: Options): Promise<void> {
  if (session.target.stage !== 'production') return;
  if (teardown) {
    throw usageError(
      "accept doesn't tear production down.",
      `If you mean it, run: ${session.commandLine('teardown')}`,
    );
  }
  await session.confirm(
    `This creates temporary API keys and domains in ${session.environment}, removes them again, and triggers an alarm.`,
  );
}

async function acceptEnvironment(session: DomainSession, options: Options): Promise<void> {
  const startedMs = Date.now();
  const { stage, isLocal } = session.target;
  const settings = readEnvironmentSettings(session.target, options.settings);
  const { region, callerArn } = await identityOf(session);
  const { version: deployed } = await session.read('environment.inspect');
  const account = callerArn?.split(':')[4];
  const domains = Object.fromEntries(DOMAIN_KINDS.map(kind => [kind, options[kind]])) as DomainNames;
  const acceptance = {
    session,
    region,
    callerArn,
    settings,
    domains,
    wantsTeardown: Boolean(options.teardown),
  };
  const steps: StepReport[] = [];
  const reportNow = () =>
    withoutAccount(account, {
      stage,
      isLocal,
      versions: { checkout: sourceVersion(), deployed, node: process.versions.node },
      region,
      account: account ?? null,
      startedAt: new Date(startedMs).toISOString(),
      durationMs: Date.now() - startedMs,
      steps,
      failed: steps.filter(({ result }) => result === 'failed').map(({ step }) => step),
    });

  const longest = isLocal
    ? 'about ten minutes, most of it for the domains. If you start the service with "npm start -- --wait-scale 0.02", it takes one'
    : 'half an hour to two hours';
  if (options.only === undefined) session.progress(`This takes ${longest}.`);
  const record = (step: StepReport) => {
    steps.push(step);
    if (options.report !== undefined) writeFileSync(options.report, `${markdownOf(reportNow())}\n`);
  };
  const say = ({ result, message, durationMs }: StepReport) =>
    session.progress(`${result}, ${durationText(durationMs)}: ${message}`, '  ');
  const running = runChecks(STEPS, acceptance, {
    reasonToSkip: step => reasonToSkip(step, session, options),
    saying(step, work) {
      session.progress(`[${steps.length + 1}/${STEPS.length}] ${step.name}: ${step.title}`);
      return work();
    },
  });
  let isInterrupted = false;
  let stepMs = Date.now();
  try {
    for await (const result of running) {
      const step = stepReportOf(result);
      if (result.durationMs !== undefined) say(step);
      record(step);
      stepMs = Date.now();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { name = '', title = '' } = STEPS[steps.length] ?? {};
    const { message } = error as Error;
    const step = {
      step: name,
      title,
      result: 'undecided',
      message,
      durationMs: Date.now() - stepMs,
    } as const;
    say(step);
    record(step);
    isInterrupted = true;
  }

  const report = reportNow();
  session.show(report, style =>
    options.report === undefined
      ? markdownOf(report)
      : prose(`${summaryOf(report)}. The report is in ${options.report}.`, style),
  );
  session.endWith(isInterrupted ? EXIT_CODES.interrupted : exitCodeOf(report));
}

/** The report without the id of the account, of which only the last digits stay, wherever it is named. */
function withoutAccount(account: string | undefined, report: Report): Report {
  if (!account) return report;
  const masked = account.replace(/\d(?=\d{4})/g, '*');
  return JSON.parse(JSON.stringify(report).replaceAll(account, masked));
}

async function identityOf({ target }: DomainSession): Promise<Pick<Acceptance, 'region' | 'callerArn'>> {
  const operator = await connectOperator(target);
  return { region: operator.region, callerArn: target.isLocal ? undefined : await operator.callerArn() };
}

function reasonToSkip(
  { name, only: where }: Step,
  { target }: DomainSession,
  { only, skip }: Options,
): string | undefined {
  if (skip?.[name] !== undefined) return skip[name];
  if (only !== undefined && !only.includes(name)) return 'not among --only';
  return where === 'aws' && target.isLocal ? 'needs AWS' : undefined;
}
