import { useState } from 'preact/hooks';
import { SCOPE_NAMES } from '../../../../shared/api-keys/scopes.ts';
import type { NewApiKey, Scope } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const LIFETIMES = [
  { title: 'never', days: undefined },
  { title: 'in 30 days', days: 30 },
  { title: 'in 90 days', days: 90 },
  { title: 'in a year', days: 365 },
] as const;

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (key: NewApiKey) => void;
}

export function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'keys.create');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPE_NAMES);
  const [lifetime, setLifetime] = useState(2);
  const create = async () => {
    const days = LIFETIMES[lifetime]?.days;
    const key = await send({
      name: name.trim(),
      scopes: [...scopes],
      expiresAt: days && new Date(endOfToday() + days * DAY_MS).toISOString(),
    });
    if (key) onCreated(key);
  };
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter(each => each !== scope) : [...scopes, scope]);
  return (
    <FormDialog
      title="Create an API key"
      action="Create key"
      isSending={isSending}
      isDisabled={scopes.length === 0}
      error={error}
      onClose={onClose}
      onSubmit={create}
    >
      <label class="field">
        Name
        <input
          required
          maxLength={100}
          value={name}
          onInput={event => setName(event.currentTarget.value)}
          placeholder="Acme"
          autocomplete="off"
        />
        <small>The person or program that the key is for.</small>
      </label>
      <fieldset class="field">
        <legend>Scopes</legend>
        {SCOPE_NAMES.map(scope => (
          <label key={scope} class="choice">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span class="mono">{scope}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        Expires
        <select value={lifetime} onChange={event => setLifetime(Number(event.currentTarget.value))}>
          {LIFETIMES.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

/** The end of today, in UTC. The same input within a day, so that a repeated request is recognised as the same. */
function endOfToday(): number {
  return (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
}
