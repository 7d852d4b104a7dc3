import { useState } from 'preact/hooks';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { curlCommand } from '../../../cli/domains/domain-report.ts';
import type { ShownError } from '../../server/protocol.ts';
import { createDnsRecords } from '../api.ts';
import {
  CopyButton,
  EmptyState,
  ErrorNote,
  Icon,
  type IconName,
  Loading,
  localTime,
  since,
  Time,
} from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { announce } from '../notices.ts';
import { useNow } from '../observable.ts';
import { refreshAll, useChange, useLive } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { DomainMenu } from './domain-menu.tsx';
import { CheckTimes, DomainRole, DomainState } from './domain-summary.tsx';
import { adviceFor, statusView, type TimelineStep, timelineOf } from './domain-view.ts';
import { Records } from './records.tsx';

interface DomainPageProps {
  readonly project: string;
  readonly domain: string;
}

/** One domain: its state, what it needs, and its history. */
export function DomainPage({ project, domain }: DomainPageProps) {
  const { stage } = useEnvironment();
  const { value: report, error } = useLive('domains.show', { project, domain });
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
          {report && <DomainDetails report={report} />}
        </>
      )}
    </>
  );
}

function DomainDetails({ report }: { report: DomainReport }) {
  const { isLocal } = useEnvironment();
  const { domain, unicode, message, records, notes } = report;
  const { isServed, isBeingRemoved } = statusView(report);
  // The table of records says what to do, record by record.
  const isSaidBelow = records.some(({ action }) => action === message);
  const isWaitingForRecords = !isBeingRemoved && records.some(({ state }) => state !== 'ok');
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
          <DomainMenu report={report} />
        </div>
      </div>
      {!isBeingRemoved && <Timeline report={report} />}
      <div class="now">
        {/* Screen readers read it out when it changes. */}
        <p class="message break" role="status">
          {isSaidBelow ? 'A DNS record is not correct. See what to do below, beside the record.' : message}
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
      {isServed && <TryIt domain={domain} />}
      {!isBeingRemoved && <Records report={report} />}
      {isLocal && isWaitingForRecords && <PlayDnsProvider report={report} />}
      <DomainHistory report={report} />
    </>
  );
}

function VerifyButton({ report }: { report: DomainReport }) {
  const { send, isSending, error } = useChange('domains.verify');
  const { project, domain } = report;
  const { verify: label, isVerifyNext } = statusView(report);
  if (!label) return null;
  const verify = async () => {
    if (await send({ project, domain })) announce(`The verification of ${domain} has started.`);
  };
  return (
    <div>
      <button
        type="button"
        class={`button ${isVerifyNext ? 'primary' : ''}`}
        onClick={() => {
          if (!isSending) verify();
        }}
        aria-busy={isSending}
      >
        {label === 'Re-verify' && <Icon name="refresh" />} {isSending ? 'Working …' : label}
      </button>
      <ErrorNote error={error} />
    </div>
  );
}

const STEPS: Readonly<Record<TimelineStep['state'], { icon: IconName; words: string }>> = {
  done: { icon: 'check', words: 'done' },
  current: { icon: 'clock', words: 'under way' },
  waiting: { icon: 'exclamation', words: 'waiting for you' },
  blocked: { icon: 'cross', words: 'failed' },
  todo: { icon: 'dot', words: 'pending' },
};

/** The steps from added to live. */
function Timeline({ report }: { report: DomainReport }) {
  const now = useNow();
  const steps = timelineOf(report);
  if (steps.length === 0) return null;
  return (
    <ol class="timeline" aria-label="From added to live" data-moving={statusView(report).flow !== null}>
      {steps.map(({ title, state, at }) => (
        <li
          key={title}
          class={`timeline-${state}`}
          aria-current={state === 'current' || state === 'waiting' ? 'step' : undefined}
        >
          <span class="timeline-sign">
            <Icon name={STEPS[state].icon} />
          </span>
          <span class="timeline-title">{title}</span>
          <span class="quiet">
            {at ? (
              <time dateTime={at} title={localTime(at)}>
                {since(at, now)}
              </time>
            ) : (
              STEPS[state].words
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** What to do next, unless the message or the table of records says the same. */
function NextSteps({ report }: { report: DomainReport }) {
  const { next, message, records } = report;
  const { isServed, verify } = statusView(report);
  const said = new Set([message, ...records.map(({ action }) => action)]);
  const steps = next.filter(step => !said.has(step));
  // A live domain has advice instead, and one that was never verified has the button and the records.
  if (steps.length === 0 || isServed || verify === 'Verify') return null;
  return (
    <ul class="next-steps">
      {steps.map(step => (
        <li key={step} class="break">
          {step}
        </li>
      ))}
    </ul>
  );
}

/** Troubleshooting advice, if any applies. */
function AdviceList({ report }: { report: DomainReport }) {
  const advice = adviceFor(report, useNow());
  if (advice.length === 0) return null;
  return (
    <div class="advice">
      {advice.map(({ title, lines, command, isUrgent }) => (
        <section key={title} class={isUrgent ? 'advice-urgent' : undefined}>
          <h2>{title}</h2>
          {lines.map(line => (
            <p key={line} class="break">
              {line}
            </p>
          ))}
          {command && (
            <p class="secret">
              <code>{command}</code>
              <CopyButton text={command} what="the command" />
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

/** How to call a live domain. On one machine it takes curl, because browsers use public DNS. */
function TryIt({ domain }: { domain: string }) {
  const { isLocal, details } = useEnvironment();
  if (!isLocal) {
    return (
      <p class="try">
        <a href={`https://${domain}`} target="_blank" rel="noreferrer noopener">
          Open https://{domain}
        </a>
      </p>
    );
  }
  if (!details?.edge) return null;
  const command = curlCommand(domain, details.edge);
  return (
    <p class="secret">
      <code>{command}</code>
      <CopyButton text={command} what="the command" />
    </p>
  );
}

/** On one machine: creates the records at the local DNS server, as the owner of the domain would at the provider. */
function PlayDnsProvider({ report: { project, domain, records } }: { report: DomainReport }) {
  const { stage } = useEnvironment();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<ShownError>();
  const isInTheWay = records.some(({ state }) => state === 'conflict' || state === 'mismatch');
  const create = async () => {
    setSending(true);
    const response = await createDnsRecords(stage, { project, domain });
    setSending(false);
    setError(response.ok ? undefined : response.error);
    if (response.ok)
      announce(`Created ${response.result.created} records at the DNS server of this machine.`);
    refreshAll();
  };
  return (
    <section class="panel play">
      <div>
        <h2>Play the DNS provider</h2>
        <p class="quiet">
          Only on this machine: creates the records above at its own DNS server
          {isInTheWay && ', and deletes those that are in the way'}.
        </p>
      </div>
      <button
        type="button"
        class="button"
        onClick={() => {
          if (!isSending) create();
        }}
        aria-busy={isSending}
      >
        {isSending ? 'Working …' : 'Create the records'}
      </button>
      <ErrorNote error={error} />
    </section>
  );
}

/** The history of the domain, newest first. */
function DomainHistory({ report }: { report: DomainReport }) {
  const { history, certificate, deadlines } = report;
  const isWaiting = statusView(report).flow === 'verification';
  return (
    <details class="panel history">
      <summary>History and certificate</summary>
      <dl class="facts wide">
        <div>
          <dt>Certificate</dt>
          <dd>{certificate.failure ?? certificate.status ?? 'not requested yet'}</dd>
        </div>
        {certificate.renewal && (
          <div>
            <dt>Renewal</dt>
            <dd>{certificate.renewal}</dd>
          </div>
        )}
        {isWaiting && deadlines.dns && (
          <div>
            <dt>DNS is checked until</dt>
            <dd>
              <Time at={deadlines.dns} />
            </dd>
          </div>
        )}
        {deadlines.claim && (
          <div>
            <dt>The claim ends, unless it is verified</dt>
            <dd>
              <Time at={deadlines.claim} />
            </dd>
          </div>
        )}
        {certificate.arn && (
          <div>
            <dt>ARN</dt>
            <dd class="mono break">{certificate.arn}</dd>
          </div>
        )}
      </dl>
      <ol class="log">
        {history.toReversed().map(({ at, what }) => (
          <li key={`${at} ${what}`}>
            <Time at={at} />
            <span class="break">{what}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
