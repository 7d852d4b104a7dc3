import type { Command } from 'commander';
import { CommandError, usageError } from '../command-error.ts';
import { Session } from '../session.ts';
import type { Style } from '../style.ts';
import type { DomainReport } from './domain-report.ts';
import { zoneFile } from './zone-file.ts';

/** The project that the stack itself is. */
export const DEFAULT_PROJECT = 'petstore';

/** Why a project may have no domain yet, by a word of the refusal, and the command that mends it. */
const ADVICE_BY_WORD: readonly { word: RegExp; text: string; command: (project: string) => string }[] = [
  { word: /\bplan\b/, text: 'Set its plan with', command: project => `projects plan ${project} pro` },
  { word: /\bdeploy\b/, text: 'Note a deploy with', command: project => `projects deployed ${project}` },
];

interface Options {
  readonly project?: string;
  readonly zoneFile?: boolean;
}

/** One run of a command on the custom domains of a project. */
export class DomainSession extends Session {
  readonly project: string;
  readonly #wantsZoneFile: boolean;

  constructor(command: Command) {
    super(command);
    const { project = DEFAULT_PROJECT, zoneFile: wantsZoneFile = false } = command.optsWithGlobals<Options>();
    if (wantsZoneFile && this.wantsJson) throw usageError('--zone-file cannot be used with --json.');
    this.project = project;
    this.#wantsZoneFile = wantsZoneFile;
  }

  look(domain: string, signal?: AbortSignal): Promise<DomainReport> {
    return this.#withWayOn(this.read('domains.show', { project: this.project, domain }, signal));
  }

  list(): Promise<{ readonly domains: readonly DomainReport[] }> {
    return this.#withWayOn(this.read('domains.list', { project: this.project }));
  }

  /** Does something such as `verify` with a domain. The words are for the question before production is changed. */
  act(
    name: string,
    fields: { readonly domain: string; readonly to?: string; readonly status?: number },
    words: string,
    options?: { isConfirmed?: boolean },
  ): Promise<DomainReport> {
    return this.#withWayOn(
      this.change(`domains.${name}`, { project: this.project, ...fields }, words, options),
    );
  }

  /** Prints a domain: its records alone if a zone file is wanted, else as it is for programs, the text for people. */
  showReport(report: DomainReport, text: (style: Style) => string): void {
    this.show(report, style => (this.#wantsZoneFile ? zoneFile(report) : text(style)));
  }

  /** A command line to paste that works on the same project. */
  line(words: string): string {
    return this.commandLine(this.project === DEFAULT_PROJECT ? words : `${words} --project ${this.project}`);
  }

  async #withWayOn<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(error.code, error.message, {
        advice: [...error.advice, ...this.#advice(error)],
        exitCode: error.exitCode,
      });
    }
  }

  #advice({ code, message }: CommandError): string[] {
    if (code === 'not_found') {
      const isProject = message.includes('no project');
      return isProject
        ? [`See the projects with: ${this.commandLine('projects list')}`]
        : [`See the domains with: ${this.line('domains list')}`];
    }
    if (code !== 'conflict') return [];
    return ADVICE_BY_WORD.filter(({ word }) => word.test(message)).map(
      ({ text, command }) => `${text}: ${this.commandLine(command(this.project))}`,
    );
  }
}
