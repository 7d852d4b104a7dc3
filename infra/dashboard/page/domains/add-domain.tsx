import { useState } from 'preact/hooks';
import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { useChange } from '../queries.ts';
import { pathOf } from '../routes.ts';

export function AddDomain({
  project: { id: project },
  onClose,
}: {
  project: ProjectView;
  onClose: () => void;
}) {
  const { stage } = useEnvironment();
  const change = useChange('domains.add');
  const [domain, setDomain] = useState('');
  const add = async () => {
    const report = await change.send({ project, domain: domain.trim() });
    if (!report) return;
    announce(`Added ${report.domain}. Now create its DNS records.`);
    onClose();
    navigate(pathOf({ page: 'domain', stage, project, domain: report.domain }));
  };
  return (
    <FormDialog title="Add domain" action="Add domain" change={change} onClose={onClose} onSubmit={add}>
      <label class="field">
        Domain or subdomain
        <input
          required
          value={domain}
          onInput={event => setDomain(event.currentTarget.value)}
          placeholder="www.example.com"
          inputMode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <small>
          One that you can change the DNS of. For both example.com and www.example.com add both, and redirect
          one to the other.
        </small>
      </label>
    </FormDialog>
  );
}
