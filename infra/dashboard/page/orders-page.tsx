import { useState } from 'preact/hooks';
import type { OrderView } from '../../../shared/operator/contract.ts';
import { FormDialog } from './dialog.tsx';
import type { StateWords } from './domains/domain-view.ts';
import { EmptyState, Help, Icon, State, Time } from './elements.tsx';
import { List } from './list.tsx';
import { announce } from './notices.ts';
import { useChange } from './queries.ts';

const STATES: Readonly<Record<OrderView['status'], StateWords & { steps: readonly StepName[] }>> = {
  placed: { tone: 'muted', words: 'Placed', steps: ['approve', 'cancel'] },
  approved: { tone: 'progress', words: 'Approved', steps: ['deliver', 'cancel'] },
  delivered: { tone: 'ok', words: 'Delivered', steps: [] },
};

export function OrdersPage() {
  const [isPlacing, setPlacing] = useState(false);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Orders</h1>
          <p class="quiet">An order goes from placed to approved to delivered. Its pet changes with it.</p>
        </div>
        <button type="button" class="button primary" onClick={() => setPlacing(true)}>
          <Icon name="plus" /> Place order
        </button>
      </div>
      <List
        list="orders"
        what="orders"
        placeholder="Search by order or pet id"
        filters={{ placed: 'Placed', approved: 'Approved', delivered: 'Delivered' }}
        sorts={{ open: 'Not delivered', newest: 'Newest', oldest: 'Oldest' }}
        titles={['Order', 'Status', 'Pet', 'Placed']}
        actions="Steps"
        row={order => <OrderRow key={order.id} order={order} />}
        empty={
          <EmptyState title="No orders yet">
            <p>Place one for an available pet. The API returns its id.</p>
          </EmptyState>
        }
        rest={
          <>
            Older orders: <code>petstore orders list --before …</code>
          </>
        }
      />
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
    announce(`Placed order ${order.id}.`);
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
        <Help>
          The id of an available pet, from <code>GET /pets?status=available</code>. The pet becomes pending.
        </Help>
      </label>
    </FormDialog>
  );
}

type StepName = 'approve' | 'deliver' | 'cancel';

const STEPS: Readonly<Record<StepName, { title: string; what: string; done: string }>> = {
  approve: {
    title: 'Approve',
    what: 'Only an approved order can be delivered. This can’t be undone.',
    done: 'Approved',
  },
  deliver: {
    title: 'Deliver',
    what: 'This records the delivery and marks the pet as sold. It can’t be undone.',
    done: 'Delivered',
  },
  cancel: {
    title: 'Cancel',
    what: 'This deletes the order and makes the pet available again.',
    done: 'Canceled',
  },
};

interface OrderStepProps {
  readonly step: StepName;
  readonly id: number;
}

/** A step of an order. It asks first, because a step cannot be undone. */
function OrderStep({ step, id }: OrderStepProps) {
  const [isOpen, setOpen] = useState(false);
  const { title } = STEPS[step];
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`${title} order ${id}`}
        onClick={() => setOpen(true)}
      >
        {title}
      </button>
      {isOpen && <TakeStep step={step} id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function TakeStep({ step, id, onClose }: OrderStepProps & { onClose: () => void }) {
  const change = useChange(`orders.${step}`);
  const { title, what, done } = STEPS[step];
  const take = async () => {
    if (!(await change.send({ id }))) return;
    announce(`${done} order ${id}.`);
    onClose();
  };
  return (
    <FormDialog
      title={`${title} order ${id}?`}
      action={`${title} order`}
      {...(step === 'cancel' && { tone: 'danger' as const, dismiss: 'Keep order' })}
      change={change}
      onClose={onClose}
      onSubmit={take}
    >
      <p>{what}</p>
    </FormDialog>
  );
}
