import { CommandError } from '../../../infra/cli/framework/command-error.ts';
import type { DashboardEnvironment } from '../../../infra/dashboard/server/environment.ts';
import type { CommandName } from '../../../shared/operator/contract.ts';
import { ENTRIES, KEYS, ORDERS, PROJECTS } from './shown-data.ts';
import { DOMAINS } from './shown-domains.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A command as the stand-in got it. */
export interface Sent {
  readonly command: CommandName;
  readonly input: Fields;
  readonly requestId?: string;
}

export interface StandIn extends DashboardEnvironment {
  readonly sent: Sent[];
  /** Answers in place of the usual data, for commands that a test is about. */
  answer: ((command: CommandName, input: Fields) => unknown) | undefined;
  /** The warnings of every change. */
  warnings: readonly string[];
}

/** An environment without an operator function: it answers reads with the data of shown-data.ts and shown-domains.ts. */
export function standInEnvironment(stage: string, { isLocal = false } = {}): StandIn {
  const standIn: StandIn = {
    stage,
    isLocal,
    sent: [],
    answer: undefined,
    warnings: [],
    operator: {
      async read(command, input) {
        standIn.sent.push({ command, input });
        return standIn.answer?.(command, input) ?? shown(command, input);
      },
      async change(command, input, requestId) {
        standIn.sent.push({ command, input, requestId });
        const result = standIn.answer?.(command, input) ?? shown(command, input);
        return { result, warnings: standIn.warnings };
      },
      async details() {
        const account = isLocal ? null : '123456789012';
        const by = isLocal ? 'local:sam' : 'arn:aws:sts::123456789012:assumed-role/Operators/jane';
        const baseUrl = isLocal ? `http://127.0.0.1:3000/${stage}/v1` : null;
        return { region: 'eu-central-1', account, by, baseUrl, edge: null };
      },
    },
    dnsProvider: isLocal ? { createRecords: async () => ({ created: 2 }) } : undefined,
  };
  return standIn;
}

function shown(command: CommandName, { project, domain, id }: Fields): unknown {
  switch (command) {
    case 'projects.list':
      return { projects: PROJECTS };
    case 'projects.show':
      return found(PROJECTS, each => each.id === id);
    case 'domains.list':
      return { domains: project === 'petstore' ? DOMAINS : [] };
    case 'keys.list':
      return { keys: KEYS };
    case 'keys.create':
      return { ...KEYS[0], key: 'pet_test_4f8Kq2LmZ9xWvB7nRtYcD3sHgJ6pQaUe1o' };
    case 'orders.list':
      return { orders: ORDERS, hasMore: false };
    case 'audit.list':
      return { entries: ENTRIES };
    default:
      return found(DOMAINS, each => each.domain === domain);
  }
}

function found<Value>(all: readonly Value[], isMeant: (value: Value) => boolean): Value {
  const value = all.find(isMeant);
  if (value) return value;
  throw new CommandError('not_found', 'There is no such thing.', { reason: 'domain_unknown' });
}
