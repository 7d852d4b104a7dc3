import { useState } from 'preact/hooks';
import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { useChange } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { isProbablyApex, redirectTargets, siblingOf } from './domain-view.ts';

interface AddDomainProps {
  readonly project: ProjectView;
  readonly onClose: () => void;
}

export function AddDomain({ project, onClose }: AddDomainProps) {
  const { stage } = useEnvironment();
  const addition = useChange('domains.add');
  const redirection = useChange('domains.redirect');
  const [typed, setTyped] = useState('');
  const [isPair, setPair] = useState<boolean>();
  const [switchLater, setSwitchLater] = useState(false);
  const [to, setTo] = useState('');
  const domain = typed.trim().toLowerCase();
  const sibling = siblingOf(domain);
  const withWww = sibling !== undefined && to === '' && (isPair ?? isProbablyApex(domain));
  const targets = redirectTargets(domain, project);
  const add = async () => {
    const added = await addition.send({
      project: project.id,
      domain,
      ...(withWww && { withWww }),
      ...(switchLater && { switchLater }),
    });
    if (!added) return;
    const { domain: name } = added;
    if (to !== '' && !(await redirection.send({ project: project.id, domain: name, to }))) return;
    announce(`Added ${name}. Now create its DNS records.`);
    onClose();
    navigate(pathOf({ page: 'domain', stage, project: project.id, domain: name }));
  };
  return (
    <FormDialog
      title="Add domain"
      action="Add domain"
      change={addition.error || addition.isSending ? addition : redirection}
      onClose={onClose}
      onSubmit={add}
    >
      <label class="field">
        Domain or subdomain
        <input
          required
          value={typed}
          onInput={event => setTyped(event.currentTarget.value)}
          placeholder="www.example.com"
          inputMode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <small>You need access to its DNS settings.</small>
      </label>
      {sibling !== undefined && to === '' && (
        <label class="choice">
          <input type="checkbox" checked={withWww} onChange={event => setPair(event.currentTarget.checked)} />
          <span class="break">
            Also add {sibling}, redirecting to {domain}
          </span>
        </label>
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={switchLater}
          onChange={event => setSwitchLater(event.currentTarget.checked)}
        />
        <span>
          This domain is in use: prepare first, switch later
          <small>The certificate is issued while your visitors still go to the old site.</small>
        </span>
      </label>
      {targets.length > 0 && !withWww && (
        <label class="field">
          When it’s live
          <select value={to} onChange={event => setTo(event.currentTarget.value)}>
            <option value="">Serve the project</option>
            {targets.map(target => (
              <option key={target} value={target}>
                Redirect to {target}
              </option>
            ))}
          </select>
        </label>
      )}
    </FormDialog>
  );
}
