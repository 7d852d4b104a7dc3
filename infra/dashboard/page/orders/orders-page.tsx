import { useState } from 'preact/hooks';
import type { OrderView } from '../../../../shared/operator/contract.ts';
import type { StateWords } from '../domain-words.ts';
import { EmptyState, ErrorNote, Loading, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useLive } from '../hooks.ts';
import { Icon } from '../icons.tsx';
import { OrderStep, type StepName } from './order-step.tsx';
import { PlaceOrder } from './place-order.tsx';

/** The operator function gives 500 orders at once at most. */
const LIMITS = [50, 200, 500];

const WORDS: Readonly<Record<OrderView['status'], StateWords>> = {
  placed: { tone: 'attention', words: 'Placed' },
  approved: { tone: 'progress', words: 'Approved' },
  delivered: { tone: 'ok', words: 'Delivered' },
};

const STEPS: Readonly<Record<OrderView['status'], readonly StepName[]>> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
  delivered: [],
};

export function OrdersPage() {
  const { stage } = useEnvironment();
  const [limit, setLimit] = useState(50);
  const { value, error } = useLive(stage, 'orders.list', { limit });
  const [isPlacing, setPlacing] = useState(false);
  const orders = value?.orders;
  const nextLimit = LIMITS.find(each => each > limit);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Orders</h1>
          <p class="quiet">
            The newest first. An order and its animal change together: placed, approved, delivered.
          </p>
        </div>
        <button type="button" class="button primary" onClick={() => setPlacing(true)}>
          <Icon name="plus" /> Place order
        </button>
      </div>
      <ErrorNote error={error} />
      {!orders && !error && <Loading what="orders" />}
      {orders?.length === 0 && (
        <EmptyState title="No orders yet">
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
      {value?.hasMore && nextLimit && (
        <button type="button" class="button" onClick={() => setLimit(nextLimit)}>
          Show older orders
        </button>
      )}
      {value?.hasMore && !nextLimit && (
        <p class="quiet foot">
          These are the newest {limit} orders. Older ones:{' '}
          <code>petstore orders list --before {orders?.at(-1)?.id}</code>
        </p>
      )}
      {isPlacing && <PlaceOrder onClose={() => setPlacing(false)} />}
    </>
  );
}

function OrderRow({ order }: { order: OrderView }) {
  const { id, petId, status, placedAt } = order;
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
      <td class="actions">
        {STEPS[status].map(step => (
          <OrderStep key={step} step={step} id={id} />
        ))}
      </td>
    </tr>
  );
}
