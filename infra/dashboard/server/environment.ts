import type {
  CommandName,
  DomainRecord,
  DomainReport,
  OwnerLink,
  ProjectView,
} from '../../../shared/operator/contract.ts';
import { revisionOf } from '../../../shared/operator/revision.ts';
import { CommandError } from '../../operator/connection/command-error.ts';
import {
  connectOperator,
  type Operator,
  type Outcome,
  userName,
} from '../../operator/connection/invoke-operator.ts';
import { type Target, withReachableLink, withReachableUrl } from '../../operator/connection/target.ts';
import { recordsToCreate } from '../../operator/domains/domain-report.ts';
import { HostedZones } from '../../operator/domains/hosted-zones.ts';
import { addFixes, applyRecords, recordsInTheWay } from '../../operator/domains/set-record.ts';
import { environmentLogs } from '../../operator/logs/log-source.ts';
import { readUsage } from '../../operator/logs/usage.ts';
import type { CreatedRecords, EnvironmentDetails, EnvironmentView, KeyUsage, ReadAge } from './protocol.ts';

export interface DashboardEnvironment extends EnvironmentView {
  readonly operator: EnvironmentOperator;
  /** What a key was used for since a time, according to the access log. */
  keyUsage(keyId: string, startMs: number): Promise<readonly KeyUsage[]>;
  /** Plays the DNS provider of custom domains; only on one machine. */
  readonly createRecords?: CreateRecords | undefined;
}

/** The operator function of one environment, for as long as the dashboard runs. */
interface EnvironmentOperator {
  /** Reads something, unless the caller has it already (the revision `known`). */
  read(
    command: CommandName,
    input: Fields,
    options?: { readonly known?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<ReadOutcome>;
  /** Sends a change. With a request id that was used before, nothing changes again. */
  change(command: CommandName, input: Fields, requestId: string): Promise<Outcome>;
  details(): Promise<EnvironmentDetails>;
}

export interface ReadOutcome extends Outcome {
  /** The revision of the result, as the operator function knows it. */
  readonly revision?: string;
  /** Absent if it was read just now. */
  readonly age?: ReadAge;
}

/** Creates the records that domains need now. Deletes what is in their way if it's exactly what was confirmed. */
type CreateRecords = (
  project: string,
  domains: readonly string[],
  confirmed: readonly string[],
) => Promise<CreatedRecords>;

type Fields = Readonly<Record<string, unknown>>;

export function dashboardEnvironment(target: Target): DashboardEnvironment {
  const operator = environmentOperator(target);
  const { stage, isLocal } = target;
  return {
    stage,
    isLocal,
    operator,
    async keyUsage(keyId, startMs) {
      const { source, groups } = await environmentLogs({ target });
      return readUsage(source, groups, { startMs, endMs: Date.now(), keyId });
    },
    createRecords: isLocal ? recordsCreatedAt(target, operator) : undefined,
  };
}

/** Errors after which new credentials may have been set up: the next request looks for them again. */
const CREDENTIAL_CODES = ['no_credentials', 'expired_credentials', 'credentials_refused', 'no_region'];

/** Invokes the operator function with the code of the petstore command. */
export function environmentOperator(target: Target, connect = connectOperator): EnvironmentOperator {
  let connecting: Promise<Operator> | undefined;

  const connected = async <Value>(work: (operator: Operator) => Promise<Value>): Promise<Value> => {
    connecting ??= connect(target);
    try {
      return await work(await connecting);
    } catch (error) {
      if (error instanceof CommandError && CREDENTIAL_CODES.includes(error.code)) connecting = undefined;
      throw error;
    }
  };

  /** On one machine, projects and links for owners are shown with their URLs there. */
  const reachable = (command: CommandName, result: unknown): unknown => {
    if (target.baseUrl === undefined) return result;
    const local = (project: ProjectView) => withReachableUrl(project, target);
    if (command === 'domains.link') return withReachableLink(result as OwnerLink, target);
    if (command === 'projects.show') return local(result as ProjectView);
    if (command !== 'projects.list') return result;
    const { projects, ...rest } = result as { projects: ProjectView[] };
    return { ...rest, projects: projects.map(local) };
  };

  return {
    read: (command, input, { known, signal } = {}) =>
      connected(async operator => {
        const outcome = await operator.invoke(command, { ...input, ...(known && { known }) }, signal);
        if (outcome.isUnchanged) return outcome;
        const { result } = outcome;
        return { ...outcome, result: reachable(command, result), revision: revisionOf(result) };
      }),

    change: (command, input, requestId) =>
      connected(operator => operator.invoke(command, { ...input, requestId })),

    details: () =>
      connected(async operator => {
        const by = target.isLocal ? userName() : await operator.callerArn();
        const [, account = null] = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(by ?? '') ?? [];
        return {
          region: operator.region,
          account,
          by: by ?? null,
          baseUrl: target.baseUrl ?? null,
          edge: target.edge ?? null,
        };
      }),
  };
}

function recordsCreatedAt(target: Target, operator: EnvironmentOperator): CreateRecords {
  return async (project, domains, confirmed) => {
    const zones = await HostedZones.of(target);
    const reports: DomainReport[] = [];
    for (const domain of domains) {
      const { result } = await operator.read('domains.show', { project, domain });
      reports.push(result as DomainReport);
    }
    const records: DomainRecord[] = reports.flatMap(recordsToCreate);
    const found = await recordsInTheWay(zones, records);
    const inTheWay = found.map(({ text }) => text);
    if (inTheWay.join() !== confirmed.join()) return { created: [], inTheWay };
    await applyRecords(zones, records, found);
    const created = records.map(({ type, name }) => `${type} ${name}`);
    for (const report of reports) created.push(...(await addFixes(zones, report)));
    return { created, inTheWay: [] };
  };
}
