import { useState } from 'preact/hooks';
import type { OrderView } from '../../../shared/operator/contract.ts';
import { ChangeDialog } from './dialog.tsx';
import type { StateWords } from './domains/domain-view.ts';
import { AddButton, EmptyState, PageHead, State, TextField, Time } from './elements.tsx';
import { List } from './list.tsx';
import { announce } from './notices.ts';

const STATES: Readonly<Record<OrderView['status'], StateWords & { steps: readonly StepName[] }>> = {
  placed: { tone: 'muted', words: 'Placed', steps: ['approve', 'cancel'] },
  approved: { tone: 'progress', words: 'Approved', steps: ['deliver', 'cancel'] },
  delivered: { tone: 'ok', words: 'Delivered', steps: [] },
};

export function OrdersPage() {
  const [isPlacing, setPlacing] = useState(false);
  return (
    <>
      <PageHead title="Orders" about="Place, approve, deliver. The pet's status follows.">
        <AddButton title="Place order" onClick={() => setPlacing(true)} />
      </PageHead>
      <List
        list="orders"
        what="orders"
        placeholder="Search by order or pet ID"
        filters={{ placed: 'Placed', approved: 'Approved', delivered: 'Delivered' }}
        sorts={{ open: 'Not delivered', newest: 'Newest', oldest: 'Oldest' }}
        titles={['Order', 'Status', 'Pet', 'Placed']}
        actions="Steps"
        row={order => <OrderRow key={order.id} order={order} />}
        empty={
          <EmptyState title="No orders yet">
            <p>You need the ID of an available pet.</p>
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
  const [petId, setPetId] = useState('');
  return (
    <ChangeDialog
      command="orders.place"
      input={{ petId: Number(petId) }}
      title="Place an order"
      action="Place order"
      onClose={onClose}
      onDone={({ id }) => announce(`Placed order ${id}.`)}
    >
      <TextField
        title="Pet"
        value={petId}
        onChange={setPetId}
        help={
          <>
            The ID of an available pet, from <code>GET /pets?status=available</code>. The pet becomes pending.
          </>
        }
        input={{
          required: true,
          class: 'mono',
          inputMode: 'numeric',
          pattern: '[1-9][0-9]{0,15}',
          title: 'A whole number, such as 482957181345792',
          placeholder: '482957181345792',
        }}
      />
    </ChangeDialog>
  );
}

type StepName = 'approve' | 'deliver' | 'cancel';

const STEPS: Readonly<Record<StepName, { title: string; what: string; done: string }>> = {
  approve: {
    title: 'Approve',
    what: "Only an approved order can be delivered. This can't be undone.",
    done: 'Approved',
  },
  deliver: {
    title: 'Deliver',
    what: "This records the delivery and marks the pet as sold. It can't be undone.",
    done: 'Delivered',
  },
  cancel: {
    title: 'Cancel',
    what: 'This deletes the order and makes the pet available again.',
    done: 'Canceled',
  },
};

/** A step of an order. It asks first, because it can't be undone. */
function OrderStep({ step, id }: { step: StepName; id: number }) {
  const [isOpen, setOpen] = useState(false);
  const { title, what, done } = STEPS[step];
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
      {isOpen && (
        <ChangeDialog
          command={`orders.${step}`}
          input={{ id }}
          title={`${title} order ${id}?`}
          action={`${title} order`}
          {...(step === 'cancel' && { tone: 'danger' as const, dismiss: 'Keep order' })}
          onClose={() => setOpen(false)}
          onDone={() => announce(`${done} order ${id}.`)}
        >
          <p>{what}</p>
        </ChangeDialog>
      )}
    </>
  );
}
