import { zoneFile } from '../../../shared/domains/dns/zone-file.ts';
import type {
  ChangeName,
  CommandName,
  DomainReport,
  DomainSummary,
  OwnerLink,
  ProjectView,
  ResultOf,
} from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { type AdviceByReason, usageError, withAdvice } from '../../operator/connection/command-error.ts';
import { withReachableLink } from '../../operator/connection/target.ts';
import { type Routing, waitsForOwner } from '../../operator/domains/domain-report.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { type ChangeOptions, Session } from '../framework/session.ts';
import type { Style } from '../framework/style.ts';

/** How long a look is waited for. Most take a few seconds, and it goes on without anybody waiting. */
const LOOK_MS = 8_000;

type DomainChange = Extract<ChangeName, `domains.${string}`>;

interface Options {
  readonly project?: string;
  readonly zoneFile?: boolean;
}

async function listAllDomains(session: Pick<Session, 'read'>, project: string): Promise<DomainReport[]> {
  const all: DomainReport[] = [];
  for (let after: string | undefined; ; ) {
    const { domains, next } = await session.read('domains.list', { project, after });
    all.push(...domains);
    if (!next) return all;
    after = next;
  }
}

/** The option of the commands that show records, as commander takes it. */
export const ZONE_FILE_OPTION = ['--zone-file', 'print only the DNS records, as a BIND zone file'] as const;

export async function listProjectDomains(session: Pick<Session, 'read'>) {
  const { projects } = await session.read('projects.list');
  const listed: { project: ProjectView; domains: DomainReport[] }[] = [];
  for (const project of projects) {
    listed.push({ project, domains: await listAllDomains(session, project.id) });
  }
  return listed;
}

/** The domains of all projects in short, page by page. */
export async function listSummaries(session: Pick<Session, 'read'>): Promise<DomainSummary[]> {
  const all: DomainSummary[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { domains, next } = await session.read('domains.summary', { after, limit: 1_000 });
    all.push(...domains);
    after = next;
  }
  return all;
}

/** One run of a command on the custom domains of a project. */
export class DomainSession extends Session {
  readonly project: string;
  readonly #command: PetstoreCommand;
  readonly #functionOf: ((environment: string) => string) | undefined;
  readonly #wantsZoneFile: boolean;

  constructor(command: PetstoreCommand, functionOf?: (environment: string) => string, ofProject?: string) {
    super(command, functionOf);
    this.#command = command;
    this.#functionOf = functionOf;
    const { project = ofProject ?? SERVICE_PROJECT_ID, zoneFile: wantsZoneFile = false } =
      command.optsWithGlobals<Options>();
    if (wantsZoneFile && this.wantsJson) throw usageError("--zone-file can't be used with --json.");
    this.project = project;
    this.#wantsZoneFile = wantsZoneFile;
  }

  /** The domain commands of a project that the command line doesn't name. */
  of(project: string): DomainSession {
    return new DomainSession(this.#command, this.#functionOf, project);
  }

  readDomain(domain: string, signal?: AbortSignal): Promise<DomainReport> {
    return withAdvice(
      this.#advice(domain),
      this.read('domains.show', { project: this.project, domain }, signal),
    );
  }

  /** A domain, after a look for the records that it waits for. */
  lookFor(domain: string, signal?: AbortSignal): Promise<DomainReport> {
    return withAdvice(
      this.#advice(domain),
      this.read('domains.look', { project: this.project, domain }, signal),
    );
  }

  /** A domain, after a look at it if nobody has looked for over an hour; as it is, if the look takes more than a few seconds. */
  async readLooked(domain: string): Promise<DomainReport> {
    const report = await this.readDomain(domain);
    if (!report.isLookOverdue) return report;
    const input = { project: this.project, domain };
    return this.read('domains.look', input, AbortSignal.timeout(LOOK_MS)).catch(() => report);
  }

  /**
   * The link to send to the owner of a domain, or of a pair, which has one page; null if there's nothing to do there. What is
   * known of a domain is shown without it, too.
   */
  async readLink(...reports: readonly DomainReport[]): Promise<OwnerLink | null> {
    const waiting = reports.find(waitsForOwner);
    if (!waiting || this.#wantsZoneFile) return null;
    const { project, domain } = waiting;
    const link = await this.read('domains.link', { project, domain }).catch(() => null);
    return link && withReachableLink(link, this.target);
  }

  listDomains(): Promise<DomainReport[]> {
    return withAdvice(this.#advice(''), listAllDomains(this, this.project));
  }

  /** Which domain of a project does what. */
  readRouting(id = this.project): Promise<Routing & { readonly id: string }> {
    return withAdvice(this.#advice(''), this.read('projects.show', { id }));
  }

  /** What is asked is asked of the project. */
  override carryOut<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    summary: string,
  ): Promise<ResultOf<Name>> {
    const { domain = '' } = input as { domain?: string };
    return withAdvice(
      this.#advice(domain),
      super.carryOut(command, { project: this.project, ...input }, summary),
    );
  }

  /** Changes a domain. The summary is for the question before production is changed. */
  changeDomain<Name extends DomainChange>(
    command: Name,
    input: Omit<InputOf<Name>, 'project'>,
    summary: string,
    options?: ChangeOptions,
  ): Promise<ResultOf<Name>> {
    const inProject = { project: this.project, ...input } as InputOf<Name>;
    const { domain, to } = inProject as { domain: string; to?: string };
    const advice = this.#advice(domain, command === 'domains.move' ? to : undefined);
    return withAdvice(advice, this.change(command, inProject, summary, options));
  }

  /** Prints a domain, or several: with --zone-file only the records, with --json the result, otherwise the text. */
  showReports(result: object, reports: readonly DomainReport[], text: (style: Style) => string): void {
    this.show(result, style => (this.#wantsZoneFile ? reports.map(zoneFile).join('\n') : text(style)));
  }

  /** A command line to paste, with the options that select the same environment and project. */
  projectCommandLine(words: string, project = this.project): string {
    return this.commandLine(project === SERVICE_PROJECT_ID ? words : `${words} --project ${project}`);
  }

  #advice(domain: string, owner = this.project): AdviceByReason {
    const domains = `List them: ${this.projectCommandLine('domains list')}`;
    return {
      plan_required: `Set its plan: ${this.commandLine(`projects plan ${owner} pro`)}`,
      deploy_required: `Record a deploy: ${this.commandLine(`projects deployed ${owner}`)}`,
      project_unknown: `List the projects: ${this.commandLine('projects list')}`,
      domain_unknown: `Another project? Add --project. ${domains}`,
      domain_not_live: domains,
      is_primary: domains,
      verification_in_progress: `Watch it: ${this.projectCommandLine(`domains watch ${domain}`)}`,
    };
  }
}
