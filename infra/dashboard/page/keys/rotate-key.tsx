import { useState } from 'preact/hooks';
import type { ApiKey, NewApiKey } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';

const OVERLAPS = [
  { title: 'not at all', hours: 0 },
  { title: 'for an hour', hours: 1 },
  { title: 'for a day', hours: 24 },
  { title: 'for a week', hours: 7 * 24 },
] as const;

interface RotateKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onCreated: (key: NewApiKey) => void;
}

export function RotateKey({ apiKey, onClose, onCreated }: RotateKeyProps) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'keys.rotate');
  const [overlapHours, setOverlapHours] = useState(24);
  const rotate = async () => {
    const key = await send({ id: apiKey.id, overlapHours });
    if (key) onCreated(key);
  };
  return (
    <FormDialog
      title={`Rotate the key of ${apiKey.name}`}
      action="Rotate key"
      isSending={isSending}
      error={error}
      onClose={onClose}
      onSubmit={rotate}
    >
      <p>
        A new key with the same name, scopes and expiry takes the place of{' '}
        <span class="mono">{apiKey.hint}</span>.
      </p>
      <label class="field">
        The old key keeps working
        <select value={overlapHours} onChange={event => setOverlapHours(Number(event.currentTarget.value))}>
          {OVERLAPS.map(({ title, hours }) => (
            <option key={hours} value={hours}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
