import { useState } from 'preact/hooks';
import { SCOPE_NAMES } from '../../../../shared/api-keys/scopes.ts';
import type { ApiKey, NewApiKey } from '../../../../shared/operator/contract.ts';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import type { StateWords } from '../domain-words.ts';
import { EmptyState, ErrorNote, Loading, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange, useLive, useNow } from '../hooks.ts';
import { Icon } from '../icons.tsx';
import { Menu } from '../menu.tsx';
import { CreateKey } from './create-key.tsx';
import { NewKey } from './new-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type Opened =
  | { readonly kind: 'create' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'new'; readonly key: NewApiKey };

export function KeysPage() {
  const { stage } = useEnvironment();
  const { value, error } = useLive(stage, 'keys.list', {});
  const [opened, setOpened] = useState<Opened>();
  const now = useNow();
  const close = () => setOpened(undefined);
  const showNew = (key: NewApiKey) => setOpened({ kind: 'new', key });
  const keys = value?.keys.toSorted(
    (left, right) =>
      Number(isActive(right, now)) - Number(isActive(left, now)) ||
      right.createdAt.localeCompare(left.createdAt),
  );
  return (
    <>
      <div class="page-head">
        <div>
          <h1>API keys</h1>
          <p class="quiet">With these, clients call the HTTP interface of {stage}.</p>
        </div>
        <button type="button" class="button primary" onClick={() => setOpened({ kind: 'create' })}>
          <Icon name="plus" /> Create key
        </button>
      </div>
      <ErrorNote error={error} />
      {!keys && !error && <Loading what="API keys" />}
      {keys?.length === 0 && (
        <EmptyState title="No API keys yet">
          <p>Create one for each person or program that calls the interface. A key is shown once.</p>
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <div class="panel table-panel">
          <table class="stacking">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Status</th>
                <th scope="col">Scopes</th>
                <th scope="col">Expires</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="visually-hidden">Menu</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map(key => (
                <KeyRow key={key.id} apiKey={key} now={now} onOpen={kind => setOpened({ kind, key })} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {opened?.kind === 'create' && <CreateKey onClose={close} onCreated={showNew} />}
      {opened?.kind === 'rotate' && <RotateKey apiKey={opened.key} onClose={close} onCreated={showNew} />}
      {opened?.kind === 'revoke' && <RevokeKey apiKey={opened.key} onClose={close} />}
      {opened?.kind === 'new' && <NewKey apiKey={opened.key} onClose={close} />}
    </>
  );
}

function isActive({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return !revokedAt && (!expiresAt || Date.parse(expiresAt) > now);
}

function stateOf(key: ApiKey, now: number): StateWords {
  if (key.revokedAt) return { tone: 'muted', words: 'Revoked' };
  return isActive(key, now) ? { tone: 'ok', words: 'Active' } : { tone: 'attention', words: 'Expired' };
}

interface KeyRowProps {
  readonly apiKey: ApiKey;
  readonly now: number;
  readonly onOpen: (kind: 'rotate' | 'revoke') => void;
}

function KeyRow({ apiKey, now, onOpen }: KeyRowProps) {
  const { name, hint, scopes, expiresAt, lastUsedAt } = apiKey;
  const { tone, words } = stateOf(apiKey, now);
  return (
    <tr>
      <th scope="row">
        {name}
        <small class="mono">{hint}</small>
      </th>
      <td data-title="Status">
        <State tone={tone}>{words}</State>
      </td>
      <td data-title="Scopes">
        {SCOPE_NAMES.every(scope => scopes.includes(scope)) ? 'all' : scopes.join(', ')}
      </td>
      <td data-title="Expires">
        <Time at={expiresAt} />
      </td>
      <td data-title="Last used">
        <Time at={lastUsedAt} />
      </td>
      <td class="actions">
        {isActive(apiKey, now) && (
          <Menu
            label={`Menu of the key ${name}`}
            items={[
              { title: 'Rotate …', onSelect: () => onOpen('rotate') },
              { title: 'Revoke …', onSelect: () => onOpen('revoke'), isDangerous: true },
            ]}
          />
        )}
      </td>
    </tr>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'keys.revoke');
  const revoke = async () => {
    if (!(await send({ id: apiKey.id }))) return;
    announce(`Revoked the key of ${apiKey.name}.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Revoke the key of ${apiKey.name}?`}
      action="Revoke key"
      tone="danger"
      isSending={isSending}
      error={error}
      onClose={onClose}
      onSubmit={revoke}
    >
      <p>
        Requests with <span class="mono">{apiKey.hint}</span> are answered with 401 at once, and for good. To
        replace a key without an interruption, rotate it instead.
      </p>
    </FormDialog>
  );
}
