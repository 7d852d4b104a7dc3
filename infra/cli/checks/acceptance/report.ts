import { CommandError, EXIT_CODES } from '../../../operator/connection/command-error.ts';
import { exactTime } from '../../../operator/readable-times.ts';
import type { DomainSession } from '../../domains/domain-session.ts';
import type { EnvironmentSettings } from '../account/examination.ts';
import type { Check } from '../check.ts';
import type { CheckResult } from '../run-checks.ts';

/** Names that the service treats in different ways: a CNAME, a CNAME in a zone of its own, an ALIAS. */
export const DOMAIN_KINDS = ['subdomain', 'delegated', 'apex'] as const;
export type DomainNames = Readonly<Partial<Record<(typeof DOMAIN_KINDS)[number], string>>>;

export interface Acceptance {
  readonly session: DomainSession;
  readonly region: string;
  /** Whose credentials these are; undefined on one machine. */
  readonly callerArn: string | undefined;
  /** None on one machine: the local AWS reads no settings. */
  readonly settings: EnvironmentSettings;
  readonly domains: DomainNames;
  readonly wantsTeardown: boolean;
}

/** One thing that a first deploy decides. */
export interface Step extends Check<Acceptance> {
  readonly title: string;
}

/** What a step has decided, in the words of the report. */
export interface StepReport {
  readonly step: string;
  readonly title: string;
  readonly result: 'ok' | 'failed' | 'undecided' | 'skipped';
  /** What was found, or why nothing was. */
  readonly message: string;
  readonly facts?: readonly string[];
  readonly durationMs: number;
}

/** What AWS doesn't let us ask, in a step that says what it needs, isn't decided. Any other error is the step's failure. */
export function stepReportOf({ check, finding, error, durationMs = 0 }: CheckResult<Step>): StepReport {
  const { name: step, title, permissions } = check;
  const report = (result: StepReport['result'], message = finding.message ?? '') => ({
    step,
    title,
    result,
    message,
    ...(finding.facts && { facts: finding.facts }),
    durationMs,
  });
  const { is } = finding;
  if (error && permissions && '$metadata' in error) {
    return report('undecided', `${error.name}: ${error.message}`);
  }
  if (error instanceof CommandError) {
    return report(error.code === 'cancelled' ? 'skipped' : 'failed', error.text);
  }
  return report(is === 'ok' || is === 'undecided' || is === 'skipped' ? is : 'failed');
}

/** What is printed with --json. */
export interface Report {
  readonly stage: string;
  readonly isLocal: boolean;
  /** Of this checkout, and of what is deployed. */
  readonly versions: { readonly checkout: string; readonly deployed: string; readonly node: string };
  readonly region: string;
  /** Its last four digits; null on one machine. */
  readonly account: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly steps: readonly StepReport[];
  readonly failed: readonly string[];
}

export function exitCodeOf({ failed }: Report): number {
  return failed.length > 0 ? EXIT_CODES.error : EXIT_CODES.done;
}

/** Such as `40 ms`, `1.4 s`, `12 s` or `6 min 10 s`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Such as `10 steps: 8 ok, 1 failed, 1 skipped`. */
export function summaryOf({ steps }: Report): string {
  const counts = (['ok', 'failed', 'undecided', 'skipped'] as const).flatMap(result => {
    const count = steps.filter(step => step.result === result).length;
    return count > 0 ? [`${count} ${result}`] : [];
  });
  return `${steps.length} steps: ${counts.join(', ')}`;
}

export function markdownOf(report: Report): string {
  const { stage, isLocal, versions, region, account, startedAt, durationMs, steps } = report;
  const rows = (cells: readonly (readonly string[])[]) =>
    cells.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [
    `# Acceptance of ${stage}${isLocal ? ' on one machine' : ''}`,
    '',
    `${summaryOf(report)}.`,
    '',
    `- Version: ${versions.deployed} deployed, ${versions.checkout} in the checkout, Node.js ${versions.node}`,
    `- Where: ${isLocal ? 'one machine' : `${region}, account ${account ?? 'unknown'}`}`,
    `- When: ${exactTime(startedAt)}, for ${durationText(durationMs)}`,
    '',
    '| Step | Result | Time | |',
    '|---|---|--:|---|',
    ...rows(
      steps.map(step => [
        step.step,
        step.result === 'failed' ? '**failed**' : step.result,
        step.result === 'skipped' ? '' : durationText(step.durationMs),
        step.message,
      ]),
    ),
    ...steps
      .filter(({ facts = [] }) => facts.length > 0)
      .flatMap(({ step, title, facts = [] }) => [
        '',
        `## ${step}: ${title}`,
        '',
        ...facts.map(fact => `- ${fact}`),
      ]),
  ].join('\n');
}
