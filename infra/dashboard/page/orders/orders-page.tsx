import { useState } from 'preact/hooks';
import type { StateWords } from '../domain-words.ts';
import { EmptyState, ErrorNote, Loading, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useLive } from '../hooks.ts';
import { Icon } from '../icons.tsx';
import { type KnownOrder, ordersOf } from '../orders.ts';
import { OrderStep, type StepName } from './order-step.tsx';
import { PlaceOrder } from './place-order.tsx';

/** As many entries of the audit log as the operator function gives at once. */
const AUDIT_LIMIT = 500;

const WORDS: Readonly<Record<KnownOrder['status'], StateWords>> = {
  placed: { tone: 'attention', words: 'Placed' },
  approved: { tone: 'progress', words: 'Approved' },
  delivered: { tone: 'ok', words: 'Delivered' },
  cancelled: { tone: 'muted', words: 'Cancelled' },
};

const STEPS: Readonly<Record<KnownOrder['status'], readonly StepName[]>> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
  delivered: [],
  cancelled: [],
};

export function OrdersPage() {
  const { stage } = useEnvironment();
  const { value, error } = useLive(stage, 'audit.list', { limit: AUDIT_LIMIT });
  const [isPlacing, setPlacing] = useState(false);
  const orders = value && ordersOf(value.entries);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Orders</h1>
          <p class="quiet">An order and its animal change together: placed, approved, delivered.</p>
        </div>
        <button type="button" class="button primary" onClick={() => setPlacing(true)}>
          <Icon name="plus" /> Place order
        </button>
      </div>
      <ErrorNote error={error} />
      {!orders && !error && <Loading what="orders" />}
      {orders?.length === 0 && (
        <EmptyState title="No orders among the latest changes">
          <p>Place one for an animal that is available: its id is in the answers of the HTTP interface.</p>
        </EmptyState>
      )}
      {orders && orders.length > 0 && (
        <div class="panel table-panel">
          <table class="stacking">
            <thead>
              <tr>
                <th scope="col">Order</th>
                <th scope="col">Status</th>
                <th scope="col">Animal</th>
                <th scope="col">Placed</th>
                <th scope="col">Changed</th>
                <th scope="col">
                  <span class="visually-hidden">Steps</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map(order => (
                <OrderRow key={order.id} order={order} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="quiet foot">These are the orders among the latest {AUDIT_LIMIT} changes of the audit log.</p>
      {isPlacing && <PlaceOrder onClose={() => setPlacing(false)} />}
    </>
  );
}

function OrderRow({ order }: { order: KnownOrder }) {
  const { id, petId, status, placedAt, changedAt } = order;
  const { tone, words } = WORDS[status];
  return (
    <tr>
      <th scope="row" class="mono">
        {id}
      </th>
      <td data-title="Status">
        <State tone={tone}>{words}</State>
      </td>
      <td data-title="Animal" class="mono">
        {petId}
      </td>
      <td data-title="Placed">
        <Time at={placedAt} />
      </td>
      <td data-title="Changed">
        <Time at={changedAt} />
      </td>
      <td class="actions">
        {STEPS[status].map(step => (
          <OrderStep key={step} step={step} id={id} />
        ))}
      </td>
    </tr>
  );
}
