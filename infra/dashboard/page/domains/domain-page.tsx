import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { announce } from '../announcements.tsx';
import { EmptyState, ErrorNote, Loading } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange, useLive } from '../hooks.ts';
import { Icon } from '../icons.tsx';
import { pathOf } from '../routes.ts';
import { AdviceList } from './advice-list.tsx';
import { CheckTimes } from './check-times.tsx';
import { DomainHistory } from './domain-history.tsx';
import { DomainMenu } from './domain-menu.tsx';
import { DomainRole } from './domain-role.tsx';
import { DomainState } from './domain-state.tsx';
import { NextSteps } from './next-steps.tsx';
import { PlayDnsProvider } from './play-dns-provider.tsx';
import { Records } from './records.tsx';
import { Timeline } from './timeline.tsx';
import { TryIt } from './try-it.tsx';

interface DomainPageProps {
  readonly project: string;
  readonly domain: string;
}

/** One domain: where it stands, what it needs, and what it has been through. */
export function DomainPage({ project, domain }: DomainPageProps) {
  const { stage } = useEnvironment();
  const { value: report, error } = useLive(stage, 'domains.show', { project, domain });
  const { value: list } = useLive(stage, 'domains.list', { project });
  const isGone = error?.reason === 'domain_unknown';
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={pathOf({ page: 'projects', stage })}>Projects</a>
        <span aria-hidden="true">/</span>
        <a href={pathOf({ page: 'project', stage, project })}>{project}</a>
        <span aria-hidden="true">/</span>
        <a href={pathOf({ page: 'domains', stage, project })}>Domains</a>
        <span aria-hidden="true">/</span>
        <span>{domain}</span>
      </nav>
      {isGone ? (
        <EmptyState
          isWholePage
          title={report ? `${domain} is removed` : `${domain} is no domain of ${project}`}
        >
          <p>
            <a href={pathOf({ page: 'domains', stage, project })}>Go to the domains of {project}</a>
          </p>
        </EmptyState>
      ) : (
        <>
          <ErrorNote error={error} />
          {!report && !error && <Loading what={domain} />}
          {report && <DomainDetails report={report} all={list?.domains ?? []} />}
        </>
      )}
    </>
  );
}

function DomainDetails({ report, all }: { report: DomainReport; all: readonly DomainReport[] }) {
  const { isLocal } = useEnvironment();
  const { domain, unicode, status, message, records, notes } = report;
  // The table of records says what to do, record by record.
  const isSaidBelow = records.some(({ action }) => action === message);
  const isWaitingForRecords = status !== 'removing' && records.some(({ state }) => state !== 'ok');
  return (
    <>
      <div class="page-head">
        <div>
          <h1 class="break">{unicode}</h1>
          {unicode !== domain && <p class="quiet mono break">{domain}</p>}
          <p class="row">
            <DomainState report={report} />
            <DomainRole report={report} />
          </p>
        </div>
        <div class="row">
          <VerifyButton report={report} />
          <DomainMenu report={report} all={all} />
        </div>
      </div>
      {status !== 'removing' && <Timeline report={report} />}
      <div class="now">
        {/* Read out when it changes: one may watch without looking. */}
        <p class="message break" role="status">
          {isSaidBelow
            ? 'A DNS record is not as it should be. What to do is said below, beside the record.'
            : message}
        </p>
        <CheckTimes report={report} />
      </div>
      <NextSteps report={report} />
      {notes.map(note => (
        <p key={note} class="note note-info break">
          {note}
        </p>
      ))}
      <AdviceList report={report} />
      {status === 'live' && <TryIt domain={domain} />}
      {status !== 'removing' && <Records report={report} />}
      {isLocal && isWaitingForRecords && <PlayDnsProvider report={report} />}
      <DomainHistory report={report} />
    </>
  );
}

function VerifyButton({ report: { project, domain, status } }: { report: DomainReport }) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'domains.verify');
  if (status === 'removing') return null;
  const isFirst = status === 'pending_dns';
  const isMain = isFirst || status === 'failed';
  const verify = async () => {
    if (await send({ project, domain })) announce(`The verification of ${domain} has started.`);
  };
  return (
    <div>
      <button
        type="button"
        class={`button ${isMain ? 'primary' : ''}`}
        onClick={() => {
          if (!isSending) verify();
        }}
        aria-busy={isSending}
      >
        {!isFirst && <Icon name="refresh" />} {isSending ? 'Working …' : isFirst ? 'Verify' : 'Re-verify'}
      </button>
      <ErrorNote error={error} />
    </div>
  );
}
