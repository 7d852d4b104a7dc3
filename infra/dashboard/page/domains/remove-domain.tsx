import { useState } from 'preact/hooks';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { removalConsequences } from '../../../cli/domains/removal-consequences.ts';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';
import { redirectTargets } from './routing-choices.ts';

interface RemoveDomainProps {
  readonly report: DomainReport;
  readonly all: readonly DomainReport[];
  readonly onClose: () => void;
  readonly onRedirect: () => void;
}

/** Says what stops, offers the redirect first, and in production asks for the name. */
export function RemoveDomain({ report, all, onClose, onRedirect }: RemoveDomainProps) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'domains.remove');
  const [typed, setTyped] = useState('');
  const { project, domain, status, redirect, primary } = report;
  const isTypingNeeded = stage === 'production';
  const isUncovered = status === 'live' && !redirect;
  const canRedirect = isUncovered && !primary && redirectTargets(report, all).length > 0;
  const remove = async () => {
    if (!(await send({ project, domain }))) return;
    announce(`${domain} is no longer served. What was created for it is being deleted.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Remove ${domain}?`}
      action="Remove domain"
      tone="danger"
      isSending={isSending}
      isDisabled={isTypingNeeded && typed.trim() !== domain}
      error={error}
      onClose={onClose}
      onSubmit={remove}
    >
      <ul class="consequences">
        {removalConsequences(report, all).map(line => (
          <li key={line}>{line}</li>
        ))}
        <li>
          Delete its DNS records at your provider afterwards, unless another project or environment uses the
          name: others can abuse a record that leads nowhere.
        </li>
      </ul>
      {isUncovered && (
        <div class="note note-attention">
          <p>
            No redirect covers {domain}: links to it stop working.{' '}
            {canRedirect
              ? 'To keep them, redirect it instead.'
              : primary
                ? 'To keep them, make another domain the primary one and redirect this one to it.'
                : 'To keep them, bring another domain live and redirect this one to it.'}
          </p>
          {canRedirect && (
            <button type="button" class="button small" onClick={onRedirect}>
              Redirect instead …
            </button>
          )}
        </div>
      )}
      {isTypingNeeded && (
        <label class="field">
          Type {domain} to confirm
          <input
            value={typed}
            onInput={event => setTyped(event.currentTarget.value)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </label>
      )}
    </FormDialog>
  );
}
