import type { CommandName, ProjectView } from '../../../shared/operator/contract.ts';
import { callerName } from '../../cli/framework/caller-name.ts';
import { CommandError } from '../../cli/framework/command-error.ts';
import { connectOperator, type Operator, type Outcome } from '../../cli/framework/invoke-operator.ts';
import type { Target } from '../../cli/framework/target.ts';
import { withReachableAddress } from '../../cli/projects/reachable-address.ts';
import type { EnvironmentDetails } from './environment-view.ts';

/** Errors after which new credentials may have been set up: the next request looks for them again. */
const CREDENTIAL_CODES = ['no_credentials', 'expired_credentials', 'credentials_refused', 'no_region'];

/** The operator function of one environment, for as long as the dashboard runs. */
export interface EnvironmentOperator {
  read(command: CommandName, input: Fields, signal?: AbortSignal): Promise<unknown>;
  /** Sends a change. A request id that was used before changes nothing again. */
  change(command: CommandName, input: Fields, requestId: string): Promise<Outcome>;
  details(): Promise<EnvironmentDetails>;
}

type Fields = Readonly<Record<string, unknown>>;

interface Connection {
  readonly operator: Operator;
  by?: string | undefined;
}

/** Invokes the operator function by the code of the petstore command. */
export function environmentOperator(target: Target, connect = connectOperator): EnvironmentOperator {
  let connecting: Promise<Connection> | undefined;

  const connected = async <Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> => {
    connecting ??= connect(target).then(operator => ({ operator }));
    try {
      return await work(await connecting);
    } catch (error) {
      if (error instanceof CommandError && CREDENTIAL_CODES.includes(error.code)) connecting = undefined;
      throw error;
    }
  };

  const callerOf = async (connection: Connection) => {
    connection.by ??= await callerName(target, connection.operator);
    return connection.by;
  };

  /** On one machine, projects are shown with their addresses there. */
  const reachable = (command: CommandName, result: unknown): unknown => {
    if (target.baseUrl === undefined) return result;
    const local = (project: ProjectView) => withReachableAddress(project, target);
    if (command === 'projects.show') return local(result as ProjectView);
    if (command !== 'projects.list') return result;
    const { projects, ...rest } = result as { projects: ProjectView[] };
    return { ...rest, projects: projects.map(local) };
  };

  return {
    read: (command, input, signal) =>
      connected(async ({ operator }) =>
        reachable(command, (await operator.invoke(command, { ...input }, signal)).result),
      ),

    change: (command, input, requestId) =>
      connected(async connection => {
        const by = await callerOf(connection);
        return connection.operator.invoke(command, { ...input, requestId, by });
      }),

    details: () =>
      connected(async connection => {
        const by = await callerOf(connection);
        const [, account = null] = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(by ?? '') ?? [];
        return {
          region: connection.operator.region,
          account,
          by: by ?? null,
          baseUrl: target.baseUrl ?? null,
          edge: target.edge ?? null,
        };
      }),
  };
}
