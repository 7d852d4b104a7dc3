import { useState } from 'preact/hooks';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import type { ApiKey, NewApiKey, Scope } from '../../../shared/operator/contract.ts';
import type { ListedKey } from '../server/protocol.ts';
import { ChangeDialog, Dialog } from './dialog.tsx';
import type { StateWords } from './domains/domain-view.ts';
import {
  AddButton,
  CopyableCode,
  EmptyState,
  Note,
  PageHead,
  Select,
  State,
  TextField,
  Time,
} from './elements.tsx';
import { useEnvironment } from './environment.ts';
import { KeyUsageDialog } from './key-usage.tsx';
import { List } from './list.tsx';
import { useNewInUrl } from './location.ts';
import { Menu } from './menu.tsx';
import { announce } from './notices.ts';
import { useNow } from './observable.ts';

type Opened =
  | { readonly kind: 'rotate' | 'revoke' | 'usage'; readonly key: ApiKey }
  | { readonly kind: 'new'; readonly key: NewApiKey };

export function KeysPage() {
  const { stage } = useEnvironment();
  const [opened, setOpened] = useState<Opened>();
  const [isCreating, setCreating] = useNewInUrl();
  const now = useNow();
  const close = () => setOpened(undefined);
  const showNew = (key: NewApiKey) => setOpened({ kind: 'new', key });
  return (
    <>
      <PageHead title="API keys" about={`Keys for the ${stage} API.`}>
        <AddButton title="Create key" onClick={() => setCreating(true)} />
      </PageHead>
      <List
        list="keys"
        what="keys"
        placeholder="Search by name, ID or last characters"
        filters={{ valid: 'Valid', expired: 'Expired', revoked: 'Revoked' }}
        sorts={{
          attention: 'Attention',
          name: 'Name',
          newest: 'Newest',
          used: 'Last seen',
          expiry: 'Expiry',
        }}
        titles={['Name', 'Status', 'Scopes', 'Expires', 'Last seen']}
        actions="Menu"
        row={key => <KeyRow key={key.id} apiKey={key} now={now} onOpen={kind => setOpened({ kind, key })} />}
        empty={
          <EmptyState title="No API keys yet">
            <p>Create one for each person or program that calls the API. A key is shown only once.</p>
          </EmptyState>
        }
      />
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={showNew} />}
      {opened?.kind === 'usage' && <KeyUsageDialog apiKey={opened.key} onClose={close} />}
      {opened?.kind === 'rotate' && <RotateKey apiKey={opened.key} onClose={close} onCreated={showNew} />}
      {opened?.kind === 'revoke' && <RevokeKey apiKey={opened.key} onClose={close} />}
      {opened?.kind === 'new' && <NewKey apiKey={opened.key} onClose={close} />}
    </>
  );
}

function isValid({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return !revokedAt && (!expiresAt || Date.parse(expiresAt) > now);
}

function stateOf(key: ListedKey, now: number): StateWords {
  if (key.revokedAt) return { tone: 'muted', words: 'Revoked' };
  if (key.isReplaced)
    return { tone: 'muted', words: isValid(key, now) ? 'Replaced, still valid' : 'Replaced' };
  if (key.expiresSoon) return { tone: 'attention', words: 'Expires soon' };
  return isValid(key, now) ? { tone: 'ok', words: 'Valid' } : { tone: 'muted', words: 'Expired' };
}

interface KeyRowProps {
  readonly apiKey: ListedKey;
  readonly now: number;
  readonly onOpen: (kind: 'rotate' | 'revoke' | 'usage') => void;
}

function KeyRow({ apiKey, now, onOpen }: KeyRowProps) {
  const { id, name, hint, scopes, expiresAt, lastUsedAt } = apiKey;
  const { tone, words } = stateOf(apiKey, now);
  const isUsable = isValid(apiKey, now);
  return (
    <tr>
      <th scope="row">
        {name}
        <small class="mono">{hint}</small>
        <small class="mono">{id}</small>
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
      <td data-title="Last seen">
        <Time at={lastUsedAt} />
      </td>
      <td class="actions">
        <Menu
          label={`Actions for the key ${name}`}
          items={[
            { title: 'Usage', onSelect: () => onOpen('usage') },
            isUsable && !apiKey.isReplaced && { title: 'Rotate …', onSelect: () => onOpen('rotate') },
            isUsable && { title: 'Revoke …', onSelect: () => onOpen('revoke'), isDangerous: true },
          ]}
        />
      </td>
    </tr>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name, hint } = apiKey;
  return (
    <ChangeDialog
      command="keys.revoke"
      input={{ id }}
      title={`Revoke the key for ${name}?`}
      action="Revoke key"
      tone="danger"
      onClose={onClose}
      onDone={() => announce(`Revoked the key for ${name}.`)}
    >
      <p>
        Requests with <span class="mono">{hint}</span> get 401 from now on. This can't be undone. To replace a
        key without an interruption, rotate it instead.
      </p>
    </ChangeDialog>
  );
}

const WAIT_FOR_KEY = 'Wait for the response: it contains the key, which is shown only once.';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The days until a key expires; 0 if it never does. */
const LIFETIMES = [
  [0, 'Never'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
  [365, 'In a year'],
] as const;

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (key: NewApiKey) => void;
}

function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPE_NAMES);
  const [days, setDays] = useState<number>(90);
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter(each => each !== scope) : [...scopes, scope]);
  return (
    <ChangeDialog
      command="keys.create"
      input={{
        name: name.trim(),
        scopes: [...scopes],
        expiresAt: days > 0 ? new Date(endOfToday() + days * DAY_MS).toISOString() : undefined,
      }}
      title="Create an API key"
      action="Create key"
      whileSending={WAIT_FOR_KEY}
      isDisabled={scopes.length === 0}
      onClose={onClose}
      onDone={onCreated}
    >
      <TextField
        title="Name"
        value={name}
        onChange={setName}
        help="The person or program that uses the key."
        input={{ required: true, maxLength: 100, placeholder: 'Acme' }}
      />
      <fieldset class="field">
        <legend>Scopes</legend>
        {SCOPE_NAMES.map(scope => (
          <label key={scope} class="choice">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <span class="mono">{scope}</span>
          </label>
        ))}
      </fieldset>
      <Select title="Expires" value={days} options={LIFETIMES} onChange={setDays} />
    </ChangeDialog>
  );
}

/** The end of today, in UTC: the input stays the same all day, so a repeated request is recognized. */
function endOfToday(): number {
  return (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
}

/** The hours for which the old key of a rotation keeps working. */
const OVERLAPS = [
  [0, 'Not at all'],
  [1, 'For an hour'],
  [24, 'For a day'],
  [7 * 24, 'For a week'],
] as const;

function RotateKey({ apiKey, onClose, onCreated }: CreateKeyProps & { apiKey: ApiKey }) {
  const [overlapHours, setOverlapHours] = useState<number>(24);
  return (
    <ChangeDialog
      command="keys.rotate"
      input={{ id: apiKey.id, overlapHours }}
      title={`Rotate the key for ${apiKey.name}`}
      action="Rotate key"
      whileSending={WAIT_FOR_KEY}
      onClose={onClose}
      onDone={onCreated}
    >
      <p>
        A new key with the same name, scopes and expiry replaces <span class="mono">{apiKey.hint}</span>.
      </p>
      <Select
        title="Keep the old key working"
        value={overlapHours}
        options={OVERLAPS}
        onChange={setOverlapHours}
      />
    </ChangeDialog>
  );
}

/** A newly created key. It's shown only here, so the dialog asks before it closes. */
function NewKey({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const { details } = useEnvironment();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { key, name, note } = apiKey;
  const command =
    key && details?.baseUrl && apiKey.scopes.includes('pets:read')
      ? `curl -H 'Authorization: Bearer ${key}' ${details.baseUrl}/pets`
      : undefined;
  const isSafe = !key || isCopied;
  const close = () => (isSafe ? onClose() : setAsking(true));
  const copied = () => setCopied(true);
  return (
    <Dialog title={`Key for ${name}`} onClose={close} isKept={!isSafe}>
      <div class="dialog-body" onCopy={copied}>
        {key ? (
          <>
            <Note tone="attention" role="status">
              <p>This is the only time the key is shown. Store it in a safe place now.</p>
            </Note>
            <CopyableCode text={key} what="the key" isFirst onCopied={copied} />
            {note && <p>{note}</p>}
            {command && (
              <>
                <p class="quiet">Try it:</p>
                <CopyableCode text={command} what="the command" onCopied={copied} />
              </>
            )}
          </>
        ) : (
          <Note tone="bad">
            <p>
              The key {apiKey.id} was created, but the response with the key was lost and can't be recovered.
              Revoke it and create another one.
            </p>
          </Note>
        )}
        {isAsking && !isSafe ? (
          <div class="note note-bad" role="alert">
            <p>You haven't copied the key. Close anyway? It can't be shown again.</p>
            <button type="button" class="button small" onClick={() => setAsking(false)}>
              Keep it open
            </button>
            <button type="button" class="button small danger" onClick={onClose}>
              Close without the key
            </button>
          </div>
        ) : (
          <footer>
            <button type="button" class="button primary" data-focus onClick={close}>
              Done
            </button>
          </footer>
        )}
      </div>
    </Dialog>
  );
}
