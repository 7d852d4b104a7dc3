import { EXIT_CODES } from '../../../operator/connection/command-error.ts';
import { exactTime } from '../../../operator/readable-times.ts';
import type { DomainSession } from '../../domains/domain-session.ts';
import type { EnvironmentSettings } from '../doctor/examination.ts';

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

/** What a step has decided. Undecided is what only a person, or somebody with more permissions, can say. */
export type Result = 'ok' | 'failed' | 'undecided' | 'skipped';

export interface Outcome {
  readonly result: Result;
  /** What was found, or why nothing was. */
  readonly message: string;
  /** What was measured and seen, a line each. */
  readonly facts?: readonly string[];
}

/** The outcome of a step that asks AWS: what AWS doesn't let us ask isn't decided. */
export async function orUndecided(work: Promise<Outcome>): Promise<Outcome> {
  return work.catch((error: Error) => {
    if (!('$metadata' in error)) throw error;
    return { result: 'undecided', message: `${error.name}: ${error.message}` };
  });
}

export interface StepReport extends Outcome {
  readonly step: string;
  readonly title: string;
  readonly durationMs: number;
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
