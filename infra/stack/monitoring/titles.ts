import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { ServiceTable } from '../service-table.ts';

type Watched = ServiceApi | ServiceFunction | ServiceTable | StateMachine | Queue;

/** The ids of constructs that are one of a kind in their capability, and are called by its name. */
const KINDS = ['Api', 'Queue'];

/** How an alarm calls what it watches: `Reconcile domains` for ReconcileDomains, `Public API` for PublicApi/Api. */
export function titleOf(part: Watched): string {
  if (part instanceof ServiceTable) return wordsOf(part.name);
  const { id, scope } = part.node;
  return wordsOf(KINDS.includes(id) && scope ? scope.node.id : id);
}

function wordsOf(id: string): string {
  const words = id.split(/(?=[A-Z])/).map(word => (/^api$/i.test(word) ? 'API' : word.toLowerCase()));
  const [first = '', ...others] = words;
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join(' ');
}
