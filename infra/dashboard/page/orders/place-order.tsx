import { useState } from 'preact/hooks';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';

export function PlaceOrder({ onClose }: { onClose: () => void }) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'orders.place');
  const [petId, setPetId] = useState('');
  const place = async () => {
    const order = await send({ petId: Number(petId) });
    if (!order) return;
    announce(`Placed the order ${order.id}.`);
    onClose();
  };
  return (
    <FormDialog
      title="Place an order"
      action="Place order"
      isSending={isSending}
      error={error}
      onClose={onClose}
      onSubmit={place}
    >
      <label class="field">
        Animal
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
          The id of an animal that is available, as <code>GET /pets?status=available</code> lists it. It
          becomes pending.
        </small>
      </label>
    </FormDialog>
  );
}
