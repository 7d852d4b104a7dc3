import type { NewApiKey } from '../../../../shared/operator/contract.ts';
import { Dialog } from '../dialog.tsx';
import { CopyButton } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { Icon } from '../icons.tsx';

/** A key that was just created: the only time that it is shown. */
export function NewKey({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const { details } = useEnvironment();
  const { key, name, note } = apiKey;
  const command =
    key && details?.baseUrl && apiKey.scopes.includes('pets:read')
      ? `curl -H 'Authorization: Bearer ${key}' ${details.baseUrl}/pets`
      : undefined;
  return (
    <Dialog title={`The key of ${name}`} onClose={onClose}>
      <div class="dialog-body">
        {key ? (
          <>
            <div class="note note-attention">
              <Icon name="exclamation" />
              <p>This is the only time the key is shown: store it in a safe place now.</p>
            </div>
            <p class="secret">
              <code>{key}</code>
              <CopyButton text={key} what="the key" />
            </p>
            {note && <p>{note}</p>}
            {command && (
              <>
                <p class="quiet">Try it:</p>
                <p class="secret">
                  <code>{command}</code>
                  <CopyButton text={command} what="the command" />
                </p>
              </>
            )}
          </>
        ) : (
          <div class="note note-bad" role="alert">
            <Icon name="cross" />
            <p>
              The key {apiKey.id} was created, but the answer with the key was lost, and it cannot be
              recovered. Revoke it and create another one.
            </p>
          </div>
        )}
        <footer>
          <button type="button" class="button primary" data-focus onClick={onClose}>
            {key ? 'I have stored it' : 'Close'}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
