import { useState } from 'preact/hooks';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';

export type StepName = 'approve' | 'deliver' | 'cancel';

const STEPS: Readonly<Record<StepName, { title: string; what: string; done: string }>> = {
  approve: {
    title: 'Approve',
    what: 'An approved order can be delivered. This cannot be taken back.',
    done: 'Approved',
  },
  deliver: {
    title: 'Deliver',
    what: 'The delivery is recorded, and the animal becomes sold.',
    done: 'Delivered',
  },
  cancel: {
    title: 'Cancel',
    what: 'The order is deleted, and the animal is available again.',
    done: 'Cancelled',
  },
};

/** A step of an order, with a question first: a step cannot be taken back. */
export function OrderStep({ step, id }: { step: StepName; id: number }) {
  const { stage } = useEnvironment();
  const { send, isSending, error, clear } = useChange(stage, `orders.${step}`);
  const [isOpen, setOpen] = useState(false);
  const { title, what, done } = STEPS[step];
  const close = () => {
    clear();
    setOpen(false);
  };
  const take = async () => {
    if (!(await send({ id }))) return;
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
          isSending={isSending}
          error={error}
          onClose={close}
          onSubmit={take}
        >
          <p>{what}</p>
        </FormDialog>
      )}
    </>
  );
}
