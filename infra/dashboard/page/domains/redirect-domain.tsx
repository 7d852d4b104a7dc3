import { useState } from 'preact/hooks';
import type { DomainReport, RedirectStatus } from '../../../../shared/operator/contract.ts';
import { DEFAULT_REDIRECT_STATUS, REDIRECT_STATUSES } from '../../../../shared/projects/project-choices.ts';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';
import { redirectTargets } from './routing-choices.ts';

const STATUS_WORDS: Readonly<Record<RedirectStatus, string>> = {
  301: '301 permanent',
  302: '302 temporary',
  307: '307 temporary, keeps the method',
  308: '308 permanent, keeps the method',
};

interface RedirectDomainProps {
  readonly report: DomainReport;
  readonly all: readonly DomainReport[];
  readonly onClose: () => void;
}

export function RedirectDomain({ report, all, onClose }: RedirectDomainProps) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'domains.redirect');
  const targets = redirectTargets(report, all);
  const [to, setTo] = useState(report.redirect?.to ?? targets[0] ?? '');
  const [status, setStatus] = useState<number>(report.redirect?.status ?? DEFAULT_REDIRECT_STATUS);
  const { project, domain } = report;
  const redirect = async () => {
    if (!(await send({ project, domain, to, status: status as RedirectStatus }))) return;
    announce(`${domain} redirects to ${to}.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Redirect ${domain}`}
      action="Redirect"
      isSending={isSending}
      isDisabled={to === ''}
      error={error}
      onClose={onClose}
      onSubmit={redirect}
    >
      <label class="field">
        To
        <select value={to} onChange={event => setTo(event.currentTarget.value)}>
          {targets.map(target => (
            <option key={target} value={target}>
              {target}
            </option>
          ))}
        </select>
        <small>Path and query are kept.</small>
      </label>
      <label class="field">
        Status
        <select value={status} onChange={event => setStatus(Number(event.currentTarget.value))}>
          {REDIRECT_STATUSES.map(each => (
            <option key={each} value={each}>
              {STATUS_WORDS[each]}
            </option>
          ))}
        </select>
        <small>Browsers remember a permanent redirect: try a temporary one first.</small>
      </label>
    </FormDialog>
  );
}
