import type { AuditEntry, OrderView } from '../../../shared/operator/contract.ts';

export interface KnownOrder extends Omit<OrderView, 'status'> {
  readonly status: OrderView['status'] | 'cancelled';
  readonly changedAt: string;
}

/**
 * The orders that the audit log knows of, the latest change first. The contract has no list of orders, and every order is
 * placed by a command, so the latest entry about an order has its status.
 */
export function ordersOf(entries: readonly AuditEntry[]): KnownOrder[] {
  const orders = new Map<number, KnownOrder>();
  const newestFirst = entries.toSorted((left, right) => right.at.localeCompare(left.at));
  for (const { command, result, at } of newestFirst) {
    if (!command.startsWith('orders.') || !isOrder(result) || orders.has(result.id)) continue;
    const status = command === 'orders.cancel' ? 'cancelled' : result.status;
    orders.set(result.id, { ...result, status, changedAt: at });
  }
  return [...orders.values()];
}

function isOrder(result: unknown): result is OrderView {
  const { id, petId, status } = (result ?? {}) as Partial<OrderView>;
  return typeof id === 'number' && typeof petId === 'number' && typeof status === 'string';
}
