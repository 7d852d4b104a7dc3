import { useState } from 'preact/hooks';
import type { OrderView } from '../../../shared/operator/contract.ts';
import { FormDialog } from './dialog.tsx';
import type { StateWords } from './domains/domain-view.ts';
import { EmptyState, ErrorNote, Icon, Loading, State, Table, Time } from './elements.tsx';
import { announce } from './notices.ts';
import { useChange, useLive } from './queries.ts';

/** The operator function returns at most 500 orders at once. */
const LIMITS = [50, 200, 500];

const STATES: Readonly<Record<OrderView['status'], StateWords & { steps: readonly StepName[] }>> = {
  placed: { tone: 'attention', words: 'Placed', steps: ['approve', 'cancel'] },
  approved: { tone: 'progress', words: 'Approved', steps: ['deliver', 'cancel'] },
  delivered: { tone: 'ok', words: 'Delivered', steps: [] },
};

export function OrdersPage() {
  const [limit, setLimit] = useState(50);
  const { value, error } = useLive('orders.list', { limit });
  const [isPlacing, setPlacing] = useState(false);
  const orders = value?.orders;
  const nextLimit = LIMITS.find(each => each > limit);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Orders</h1>
          <p class="quiet">
            The newest first. An order and its pet change together: placed, approved, delivered.
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
          <p>Place one for a pet that is available: its id is in the responses of the HTTP interface.</p>
        </EmptyState>
      )}
      {orders && orders.length > 0 && (
        <Table titles={['Order', 'Status', 'Pet', 'Placed']} actions="Steps">
          {orders.map(order => (
            <OrderRow key={order.id} order={order} />
          ))}
        </Table>
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
  const { tone, words, steps } = STATES[status];
  return (
    <tr>
      <th scope="row" class="mono">
        {id}
      </th>
      <td data-title="Status">
        <State tone={tone}>{words}</State>
      </td>
      <td data-title="Pet" class="mono">
        {petId}
      </td>
      <td data-title="Placed">
        <Time at={placedAt} />
      </td>
      <td class="actions">
        {steps.map(step => (
          <OrderStep key={step} step={step} id={id} />
        ))}
      </td>
    </tr>
  );
}

function PlaceOrder({ onClose }: { onClose: () => void }) {
  const change = useChange('orders.place');
  const [petId, setPetId] = useState('');
  const place = async () => {
    const order = await change.send({ petId: Number(petId) });
    if (!order) return;
    announce(`Placed the order ${order.id}.`);
    onClose();
  };
  return (
    <FormDialog
      title="Place an order"
      action="Place order"
      change={change}
      onClose={onClose}
      onSubmit={place}
    >
      <label class="field">
        Pet
        <input
          required
          class="mono"
          inputMode="numeric"
          pattern="[1-9][0-9]{0,15}"
          title="A whole number, such as 482957181345792"
          value={petId}
          onInput={event => setPetId(event.currentTarget.value)}
          placeholder="482957181345792"
          autocomplete="off"
        />
        <small>
          The id of a pet that is available, as <code>GET /pets?status=available</code> lists it. It becomes
          pending.
        </small>
      </label>
    </FormDialog>
  );
}

type StepName = 'approve' | 'deliver' | 'cancel';

const STEPS: Readonly<Record<StepName, { title: string; what: string; done: string }>> = {
  approve: {
    title: 'Approve',
    what: 'An approved order can be delivered. This cannot be undone.',
    done: 'Approved',
  },
  deliver: {
    title: 'Deliver',
    what: 'The delivery is recorded, and the pet becomes sold.',
    done: 'Delivered',
  },
  cancel: {
    title: 'Cancel',
    what: 'The order is deleted, and the pet is available again.',
    done: 'Cancelled',
  },
};

/** A step of an order. It asks first, because a step cannot be undone. */
function OrderStep({ step, id }: { step: StepName; id: number }) {
  const change = useChange(`orders.${step}`);
  const [isOpen, setOpen] = useState(false);
  const { title, what, done } = STEPS[step];
  const close = () => {
    change.clear();
    setOpen(false);
  };
  const take = async () => {
    if (!(await change.send({ id }))) return;
    announce(`${done} the order ${id}.`);
    close();
  };
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`${title} the order ${id}`}
        onClick={() => setOpen(true)}
      >
        {title}
      </button>
      {isOpen && (
        <FormDialog
          title={`${title} the order ${id}?`}
          action={`${title} order`}
          {...(step === 'cancel' && { tone: 'danger' as const })}
          change={change}
          onClose={close}
          onSubmit={take}
        >
          <p>{what}</p>
        </FormDialog>
      )}
    </>
  );
}
