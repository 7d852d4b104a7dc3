import { useState } from 'preact/hooks';
import type { DomainSummary, RedirectStatus } from '../../../../shared/operator/contract.ts';
import { DEFAULT_REDIRECT_STATUS, REDIRECT_STATUSES } from '../../../../shared/projects/project-choices.ts';
import { rolesMoved, siblingOf } from '../../../../shared/projects/routing.ts';
import { isInEffect, removalConsequences } from '../../../operator/domains/domain-report.ts';
import type { ShownError } from '../../server/protocol.ts';
import { ChangeDialog } from '../dialog.tsx';
import { AS_TYPED, ErrorNote, Select, TextField } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { navigate } from '../location.ts';
import { Menu } from '../menu.tsx';
import { announce } from '../notices.ts';
import { refreshAll, useChange, useLive } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { redirectTargets, statusView } from './domain-view.ts';

type Opened = 'redirect' | 'move' | 'links' | 'remove';

/** What can be done with a domain in its current status. */
export function DomainMenu({ report }: { report: DomainSummary }) {
  const [opened, setOpened] = useState<Opened>();
  const primary = useChange('domains.primary', { isTold: true });
  const unredirect = useChange('domains.unredirect', { isTold: true });
  const verify = useChange('domains.verify', { isTold: true });
  const { project, domain, redirect } = report;
  const { isServed, flow, verify: verifyTitle, canRemove } = statusView(report);
  const sending = (change: typeof primary | typeof unredirect | typeof verify, done: string) => async () => {
    if (await change.send({ project, domain })) announce(done);
  };
  const opening = (dialog: Opened) => () => setOpened(dialog);
  const items = [
    isServed &&
      !report.primary &&
      !redirect && {
        title: 'Make primary',
        onSelect: sending(primary, `${domain} is now the primary domain.`),
      },
    !report.primary && canRemove && { title: 'Redirect to …', onSelect: opening('redirect') },
    redirect !== null && {
      title: 'End redirect',
      onSelect: sending(unredirect, `${domain} no longer redirects.`),
    },
    verifyTitle !== null && { title: verifyTitle, onSelect: sending(verify, `Verifying ${domain}.`) },
    canRemove && flow === null && { title: 'Move to another project …', onSelect: opening('move') },
    canRemove && { title: 'End links …', onSelect: opening('links') },
    canRemove && { title: 'Remove …', onSelect: opening('remove'), isDangerous: true },
  ];
  const close = () => setOpened(undefined);
  return (
    <>
      <Menu label={`Actions for ${domain}`} items={items} />
      {opened === 'redirect' && <RedirectDomain report={report} onClose={close} />}
      {opened === 'move' && <MoveDomain report={report} onClose={close} />}
      {opened === 'links' && <EndLinks report={report} onClose={close} />}
      {opened === 'remove' && (
        <RemoveDomain report={report} onClose={close} onRedirect={() => setOpened('redirect')} />
      )}
    </>
  );
}

const STATUS_WORDS: Readonly<Record<RedirectStatus, string>> = {
  301: '301 permanent',
  302: '302 temporary',
  307: '307 temporary, keeps the method',
  308: '308 permanent, keeps the method',
};

interface RedirectDomainProps {
  readonly report: DomainSummary;
  readonly onClose: () => void;
}

function RedirectDomain({ report, onClose }: RedirectDomainProps) {
  const { value: routing, error } = useLive('projects.show', { id: report.project });
  const targets = routing ? redirectTargets(report.domain, routing) : [];
  const [chosen, setTo] = useState(report.redirect?.to);
  const to = chosen ?? targets[0] ?? '';
  const [status, setStatus] = useState(
    (report.redirect?.status ?? DEFAULT_REDIRECT_STATUS) as RedirectStatus,
  );
  const { project, domain } = report;
  return (
    <ChangeDialog
      command="domains.redirect"
      input={{ project, domain, to, status }}
      title={`Redirect ${domain}`}
      action="Redirect"
      isDisabled={to === ''}
      onClose={onClose}
      onDone={() => announce(`${domain} redirects to ${to}.`)}
    >
      <Select
        title="To"
        value={to}
        options={targets.map(target => [target, target])}
        onChange={setTo}
        help={
          routing &&
          (targets.length === 0 ? 'No other domain of the project is live.' : 'Path and query are kept.')
        }
      />
      <Select
        title="Status"
        value={status}
        options={REDIRECT_STATUSES.map(each => [each, STATUS_WORDS[each]])}
        onChange={setStatus}
        help="Browsers remember permanent redirects. To try it out, use a temporary one."
      />
      {!routing && <Unknown error={error} />}
    </ChangeDialog>
  );
}

/** Gives a domain to another project, without interruption, and its apex or www too unless that should stay. */
function MoveDomain({ report, onClose }: RedirectDomainProps) {
  const { stage } = useEnvironment();
  const { value, error } = useLive('projects.list', {});
  const { project, domain } = report;
  const { value: sibling, error: noSibling } = useLive('domains.show', {
    project,
    domain: siblingOf(domain),
  });
  const isKnown = sibling !== undefined || noSibling?.reason === 'domain_unknown';
  const [chosen, setTo] = useState<string>();
  const [alone, setAlone] = useState(false);
  const others = (value?.projects ?? []).filter(({ id }) => id !== project);
  const to = chosen ?? others[0]?.id ?? '';
  const isPair = sibling !== undefined && !statusView(sibling).isBeingRemoved;
  const names = [domain, ...(isPair && !alone ? [sibling.domain] : [])];
  const [from, target] = [project, to].map(wanted => value?.projects.find(({ id }) => id === wanted));
  return (
    <ChangeDialog
      command="domains.move"
      input={{ project, domain, to, alone }}
      title={`Move ${domain}`}
      action={names.length > 1 ? 'Move both domains' : 'Move domain'}
      isDisabled={to === '' || !isKnown}
      onClose={onClose}
      onDone={({ notes }) => {
        announce([`Moved ${names.join(' and ')} to ${to}.`, ...notes].join(' '));
        navigate(pathOf({ page: 'domain', stage, project: to, domain }));
      }}
    >
      {value && others.length === 0 ? (
        <p>There's no other project. Create one first.</p>
      ) : (
        <Select
          title="To project"
          value={to}
          options={others.map(({ id, name }) => [id, name ? `${name} (${id})` : id])}
          onChange={setTo}
          help="Its DNS records stay the same. If it's live, it serves the other project within seconds."
        />
      )}
      {isPair && (
        <label class="choice">
          <input
            type="checkbox"
            checked={!alone}
            onChange={event => setAlone(!event.currentTarget.checked)}
          />
          <span class="break">Move {sibling.domain}, too</span>
        </label>
      )}
      {!(value && isKnown) && <Unknown error={error ?? noSibling} />}
      {from && target && isKnown && (
        <ul class="consequences">
          {rolesMoved(names, from, target).map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </ChangeDialog>
  );
}

/** Says that the dialog doesn't know yet what its change would do, so its button is disabled. */
function Unknown({ error }: { error: ShownError | undefined }) {
  return error ? (
    <ErrorNote error={error} onRetry={refreshAll} />
  ) : (
    <p class="quiet">Looking up what would change …</p>
  );
}

function EndLinks({ report: { project, domain }, onClose }: RedirectDomainProps) {
  return (
    <ChangeDialog
      command="domains.unlink"
      input={{ project, domain }}
      title={`End the links to the page of ${domain}?`}
      action="End links"
      tone="danger"
      onClose={onClose}
      onDone={() => announce(`Ended the links to the page of ${domain}.`)}
    >
      <p>
        Whoever opens one of them reads that it has ended; a link copied later is a new one. An apex or www
        that was added with the domain has the same page. The domain and its DNS records stay as they are.
      </p>
    </ChangeDialog>
  );
}

interface RemoveDomainProps {
  readonly report: DomainSummary;
  readonly onClose: () => void;
  readonly onRedirect: () => void;
}

/** Says what stops, offers the redirect first, and in production asks for the name. */
function RemoveDomain({ report, onClose, onRedirect }: RemoveDomainProps) {
  const { stage } = useEnvironment();
  const { value: routing, error } = useLive('projects.show', { id: report.project });
  const [typed, setTyped] = useState('');
  const { project, domain, redirect, primary } = report;
  const isTypingNeeded = stage === 'production';
  const isUncovered = statusView(report).isServed && !isInEffect(redirect);
  const canRedirect = !primary && routing !== undefined && redirectTargets(domain, routing).length > 0;
  return (
    <ChangeDialog
      command="domains.remove"
      input={{ project, domain }}
      title={`Remove ${domain}?`}
      action="Remove domain"
      tone="danger"
      isDisabled={!routing || (isTypingNeeded && typed.trim() !== domain)}
      onClose={onClose}
      onDone={() => announce(`Removing ${domain}.`)}
    >
      {!routing && <Unknown error={error} />}
      <ul class="consequences">
        {routing && removalConsequences(report, routing).map(line => <li key={line}>{line}</li>)}
        <li>Then delete its DNS records (listed on this page), unless something else uses the name.</li>
      </ul>
      {isUncovered && routing && (
        <div class="note note-attention">
          <p>
            Links to {domain} stop working.{' '}
            {canRedirect
              ? 'To keep them working, redirect it instead.'
              : primary
                ? 'To keep them working, make another domain primary and redirect this one to it.'
                : 'To keep them working, add another domain and redirect this one to it.'}
          </p>
          {canRedirect && (
            <button type="button" class="button small" onClick={onRedirect}>
              Redirect instead …
            </button>
          )}
        </div>
      )}
      {isTypingNeeded && (
        <TextField title={`Type ${domain} to confirm`} value={typed} onChange={setTyped} input={AS_TYPED} />
      )}
    </ChangeDialog>
  );
}
