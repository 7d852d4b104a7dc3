import { useState } from 'preact/hooks';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { announce } from '../announcements.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorNote } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';
import { Menu, type MenuItem } from '../menu.tsx';
import { RedirectDomain } from './redirect-domain.tsx';
import { RemoveDomain } from './remove-domain.tsx';
import { redirectTargets } from './routing-choices.ts';

interface DomainMenuProps {
  readonly report: DomainReport;
  /** All domains of the project. */
  readonly all: readonly DomainReport[];
}

/** The menu of a domain: what can be done with it as it is now. */
export function DomainMenu({ report, all }: DomainMenuProps) {
  const { stage } = useEnvironment();
  const [opened, setOpened] = useState<'redirect' | 'remove'>();
  const primary = useChange(stage, 'domains.primary');
  const unredirect = useChange(stage, 'domains.unredirect');
  const verify = useChange(stage, 'domains.verify');
  const { project, domain, status, redirect } = report;
  const input = { project, domain };
  const isLive = status === 'live';
  const isRemoving = status === 'removing';

  const items: MenuItem[] = [
    ...(isLive && !report.primary && !redirect
      ? [
          {
            title: 'Make primary',
            onSelect: async () => {
              if (await primary.send(input)) announce(`${domain} is the primary domain now.`);
            },
          },
        ]
      : []),
    ...(isLive && !report.primary && redirectTargets(report, all).length > 0
      ? [{ title: 'Redirect to …', onSelect: () => setOpened('redirect') }]
      : []),
    ...(redirect
      ? [
          {
            title: 'End redirect',
            onSelect: async () => {
              if (await unredirect.send(input)) announce(`${domain} serves the project itself again.`);
            },
          },
        ]
      : []),
    ...(isRemoving
      ? []
      : [
          {
            title: status === 'pending_dns' ? 'Verify' : 'Re-verify',
            onSelect: async () => {
              if (await verify.send(input)) announce(`The verification of ${domain} has started.`);
            },
          },
        ]),
    ...(isRemoving && report.reason === null
      ? []
      : [{ title: 'Remove …', onSelect: () => setOpened('remove'), isDangerous: true }]),
  ];
  const failed = [primary, unredirect, verify].find(({ error }) => error);
  const close = () => setOpened(undefined);
  return (
    <>
      {items.length > 0 && <Menu label={`Menu of ${domain}`} items={items} />}
      {failed && (
        <Dialog title={`${domain} was not changed`} onClose={failed.clear}>
          <div class="dialog-body">
            <ErrorNote error={failed.error} />
            <footer>
              <button type="button" class="button primary" data-focus onClick={failed.clear}>
                Close
              </button>
            </footer>
          </div>
        </Dialog>
      )}
      {opened === 'redirect' && <RedirectDomain report={report} all={all} onClose={close} />}
      {opened === 'remove' && (
        <RemoveDomain report={report} all={all} onClose={close} onRedirect={() => setOpened('redirect')} />
      )}
    </>
  );
}
