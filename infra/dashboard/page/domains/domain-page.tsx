import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { factsOfReason } from '../../../../shared/domains/life/domain-reason.ts';
import { factsOf } from '../../../../shared/domains/life/domain-status.ts';
import { waitsForRecords } from '../../../../shared/domains/life/todo.ts';
import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';
import { SERVICE_PROJECT_ID } from '../../../../shared/projects/project-choices.ts';
import { canSwitch, curlCommand, recordsToCreate } from '../../../operator/domains/domain-report.ts';
import { since } from '../../../operator/readable-times.ts';
import type { ListedEntry, ShownError } from '../../server/protocol.ts';
import { createDnsRecords } from '../api.ts';
import { FormDialog } from '../dialog.tsx';
import {
  CopyableCode,
  EmptyState,
  ErrorNote,
  Help,
  Icon,
  type IconName,
  Lines,
  Loading,
  localTime,
  Time,
} from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { SLOW_INTERVAL_MS, type Snapshot } from '../live-query.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { observable, useNow, useObservable } from '../observable.ts';
import { refreshAll, useChange, useList, useLive, useLooks } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { DomainMenu } from './domain-menu.tsx';
import { CheckTimes, DomainRole, DomainState } from './domain-summary.tsx';
import {
  adviceFor,
  canGoOn,
  domainState,
  isFresh,
  isSolvedInBox,
  isVerifyNext,
  openRows,
  shownTroubles,
  statusView,
  type TimelineStep,
  timelineOf,
  withFound,
} from './domain-view.ts';
import { Visit } from './domains-page.tsx';
import { Records } from './records.tsx';
import { TroubleBox } from './trouble-box.tsx';

interface DomainPageProps {
  readonly project: string;
  readonly domain: string;
}

/** One domain: its state, what it needs, and its history. */
export function DomainPage({ project, domain }: DomainPageProps) {
  const { stage } = useEnvironment();
  const { value: report, error } = useReport(project, domain);
  const { value: shown } = useLive('projects.show', { id: project }, SLOW_INTERVAL_MS);
  const isGone = error?.reason === 'domain_unknown';
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={pathOf({ page: 'projects', stage })}>Projects</a>
        <span aria-hidden="true">/</span>
        <a href={pathOf({ page: 'project', stage, project })}>
          <bdi>{shown?.name ?? project}</bdi>
        </a>
        <span aria-hidden="true">/</span>
        <a href={pathOf({ page: 'domains', stage, project })}>Domains</a>
        <span aria-hidden="true">/</span>
        <span>{domain}</span>
      </nav>
      {isGone ? (
        <RemovedDomain project={project} domain={domain} wasShown={report !== undefined} />
      ) : (
        <>
          <ErrorNote error={error} onRetry={refreshAll} />
          {!report && !error && <Loading what={domain} />}
          {report && <DomainDetails report={report} />}
        </>
      )}
    </>
  );
}

/** A domain that is gone. The audit log has who removed it, and its records. */
function RemovedDomain({ project, domain, wasShown }: DomainPageProps & { wasShown: boolean }) {
  const { stage } = useEnvironment();
  const { value } = useList('audit', { search: `domains.remove ${domain}` }, SLOW_INTERVAL_MS);
  const removal = value?.rows.find(({ input }) => {
    const removed = input as { project?: string; domain?: string };
    return removed.domain === domain && (removed.project ?? SERVICE_PROJECT_ID) === project;
  });
  return (
    <>
      <EmptyState
        isWholePage
        title={removal || wasShown ? `${domain} was removed` : `${domain} isn't in project ${project}`}
      >
        <p>
          <a href={pathOf({ page: 'domains', stage, project })}>See the domains of {project}</a>
        </p>
      </EmptyState>
      {removal && <RemovedRecords removal={removal} />}
    </>
  );
}

function RemovedRecords({ removal: { at, requestId } }: { removal: ListedEntry }) {
  const { value } = useLive('audit.list', { until: at, limit: 5 }, SLOW_INTERVAL_MS);
  const report = value?.entries.find(entry => entry.requestId === requestId)?.result;
  return report ? <Records report={report as DomainReport} /> : null;
}

interface Shown extends Snapshot<DomainReport> {
  /** Whether it waits for records, and whether they are there by now. */
  readonly isAwaited?: boolean;
  readonly canGoOn?: boolean;
}

/** The report of a domain; while it waits for records, its zone's own servers are asked for them. */
function useReport(project: string, domain: string): Shown {
  const { value, error } = useLive('domains.show', { project, domain });
  // While another project has the name, records change nothing.
  const isOthers = value?.reason && factsOfReason(value.reason).about === 'claim';
  const isAwaited = value !== undefined && !isOthers && waitsForRecords(value.records);
  const looked = useLooks({ project, domain }, isAwaited);
  if (!value) return { error };
  const shown = withFound(value, looked);
  const isDue = canGoOn(value, looked, Date.now());
  return {
    value: shown,
    error,
    isAwaited: isDue || (isAwaited && waitsForRecords(shown.records)),
    canGoOn: isDue,
  };
}

interface ReportProps {
  readonly report: DomainReport;
  /** The other name of a pair, which is set up with it. */
  readonly partner: DomainReport | undefined;
}

function DomainDetails({ report }: { report: DomainReport }) {
  const { domain, unicode, notes } = report;
  const { isServed, isBeingRemoved, canRemove } = statusView(report);
  const { isLocal } = useEnvironment();
  const partner = usePartner(report);
  const reports = partner ? [report, partner] : [report];
  const toCreate = isLocal && isCreatable(reports) ? reports : [];
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
          {/* What to do comes first. */}
          {!isVerifyNext(report) && isServed && <Visit domain={domain} />}
          <VerifyButton
            report={report}
            partner={partner}
            isPrimary={isVerifyNext(report) && toCreate.length === 0 && !isSolvedInBox(report)}
          />
          {isVerifyNext(report) && isServed && <Visit domain={domain} />}
          {isBeingRemoved && canRemove && <RemoveAgain report={report} />}
          <DomainMenu report={report} />
        </div>
      </div>
      <Timeline report={report} />
      <Now report={report} partner={partner} toCreate={toCreate} />
      {notes.map(note => (
        <p key={note} class="note note-info break">
          {note}
        </p>
      ))}
      <AdviceList report={report} />
      {isServed && <TryIt domain={domain} />}
      <Records report={report} partner={partner} />
      <DomainHistory report={report} />
    </>
  );
}

/** What is going on, what to do about it, and the buttons that do it. */
function Now({ report, partner, toCreate }: ReportProps & { toCreate: readonly DomainReport[] }) {
  const { message, detour } = report;
  const verification = useVerification(report, partner);
  const troubles = shownTroubles(report);
  const isToCreate = toCreate.length > 0;
  const missing = detour && !detour.isAdded ? detour.www : undefined;
  const isBox = troubles.length > 0 || isVerifyNext(report) || isToCreate || missing !== undefined;
  const said = troubles.length === 0 && (
    <>
      <p class="message break">{message}</p>
      <NextSteps report={report} isToCreate={isToCreate} />
    </>
  );
  return (
    <div class="now">
      {isBox ? (
        <TroubleBox
          report={report}
          troubles={troubles}
          tone={domainState(report).tone}
          actions={
            (isToCreate || missing) && (
              <>
                {missing && <AddName project={report.project} name={missing} />}
                {isToCreate && <CreateRecords reports={toCreate} verification={verification} />}
              </>
            )
          }
        >
          {said && <section>{said}</section>}
        </TroubleBox>
      ) : (
        <div role="status">{said}</div>
      )}
      <CheckTimes report={report} />
      <VerifiesItself report={report} partner={partner} />
    </div>
  );
}

/** Adds the name that can point here, where the one of the page can't. */
function AddName({ project, name }: { project: string; name: string }) {
  const { stage } = useEnvironment();
  const { send, ...change } = useChange('domains.add');
  const add = async () => {
    const added = await send({ project, domain: name });
    if (added) navigate(pathOf({ page: 'domain', stage, project, domain: added.domain }));
  };
  return (
    <ChangeButton change={change} isPrimary onClick={add}>
      <Icon name="plus" /> Add {name}
    </ChangeButton>
  );
}

/** The www or apex that was added with it, if that isn't live yet either. */
function usePartner(report: DomainReport): DomainReport | undefined {
  const { project, domain, pair } = report;
  const { value } = useReport(project, pair ?? domain);
  if (!pair || statusView(report).isServed || value?.domain !== pair || value.detour) return undefined;
  const { awaits } = statusView(value);
  return awaits === 'verification' || awaits === 'records' ? value : undefined;
}

/** Verifies a domain, and the partner that waits for it. */
function useVerification(report: DomainReport, partner: DomainReport | undefined) {
  const { send, isSending, error } = useChange('domains.verify');
  const { project, domain } = report;
  const verify = async () => {
    if (!(await send({ project, domain }))) return;
    const isAlsoNew = partner && statusView(partner).awaits === 'verification';
    const isBoth = isAlsoNew && (await send({ project, domain: partner.domain }));
    announce(`Verifying ${isBoth ? `${domain} and ${partner.domain}` : domain}.`);
  };
  return { verify, isSending, error };
}

function VerifyButton({ report, partner, isPrimary }: ReportProps & { isPrimary: boolean }) {
  const { verify, ...change } = useVerification(report, partner);
  const { verify: label } = statusView(report);
  if (!label) return null;
  return (
    <ChangeButton change={change} isPrimary={isPrimary} onClick={verify}>
      {label === 'Re-verify' && <Icon name="refresh" />} {label}
    </ChangeButton>
  );
}

/** Whether this tab verifies domains itself. */
const verifiesItself = observable(true);

/** The switch for verifying a domain, and its partner, as soon as their records are there. */
function VerifiesItself({ report, partner = report }: ReportProps) {
  const isOn = useObservable(verifiesItself);
  const { project, domain } = report;
  const isAwaited = [useReport(project, domain), useReport(project, partner.domain)].some(
    each => each.isAwaited,
  );
  const { verify: label } = statusView(report);
  return (
    <>
      {isAwaited && (
        <label class="choice">
          <input
            type="checkbox"
            checked={isOn}
            onChange={event => verifiesItself.set(event.currentTarget.checked)}
          />
          <span>
            {`${label ?? 'Verify'} as soon as the records are there`}
            <Help>This page looks for them at your name servers while it's open.</Help>
          </span>
        </label>
      )}
      {isOn &&
        [...new Set([domain, partner.domain])].map(each => (
          <Verifier key={each} project={project} domain={each} />
        ))}
    </>
  );
}

/** A zone whose servers differ may have the records at one look and not at the next. */
const VERIFY_AGAIN_MS = 60_000;
const verifiedAtMs = new Map<string, number>();

/** Verifies a domain once its records are there. */
function Verifier({ project, domain }: Pick<DomainReport, 'project' | 'domain'>) {
  const { stage } = useEnvironment();
  const { canGoOn: isDue } = useReport(project, domain);
  const { send, error } = useChange('domains.verify');
  useEffect(() => {
    const key = `${stage} ${project} ${domain}`;
    if (!isDue || Date.now() - (verifiedAtMs.get(key) ?? 0) < VERIFY_AGAIN_MS) return;
    verifiedAtMs.set(key, Date.now());
    send({ project, domain }).then(
      verified => verified && announce(`The records of ${domain} are there. Verifying it.`),
    );
  }, [isDue, send, stage, project, domain]);
  return <ErrorNote error={error} />;
}

/** Resumes a stalled removal. */
function RemoveAgain({ report: { project, domain } }: { report: DomainReport }) {
  const { send, ...change } = useChange('domains.remove');
  const remove = async () => {
    if (await send({ project, domain })) announce(`Removing ${domain}.`);
  };
  return (
    <ChangeButton change={change} isPrimary onClick={remove}>
      Remove again
    </ChangeButton>
  );
}

interface ChangeButtonProps {
  readonly change: { readonly isSending: boolean; readonly error: ShownError | undefined };
  readonly isPrimary: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function ChangeButton({ change: { isSending, error }, isPrimary, onClick, children }: ChangeButtonProps) {
  return (
    <div>
      <button
        type="button"
        class={`button ${isPrimary ? 'primary' : ''}`}
        onClick={() => {
          if (!isSending) onClick();
        }}
        aria-busy={isSending}
      >
        {isSending ? 'Working …' : children}
      </button>
      <ErrorNote error={error} />
    </div>
  );
}

const STEP_ICONS: Readonly<Record<TimelineStep['state'], IconName>> = {
  done: 'check',
  current: 'clock',
  waiting: 'exclamation',
  blocked: 'cross',
  todo: 'dot',
};

/** The steps from added to live; hidden once the domain has been live for a while. */
function Timeline({ report }: { report: DomainReport }) {
  const now = useNow();
  const steps = timelineOf(report);
  const { isServed, isBeingRemoved } = statusView(report);
  if (isBeingRemoved || (isServed && !isFresh(report, now))) return null;
  const current = steps.findLast(({ state }) => state !== 'todo');
  return (
    <>
      <ol class="timeline" aria-label="From added to live" data-moving={statusView(report).flow !== null}>
        {steps.map(({ title, state, words, at }) => (
          <li
            key={title}
            class={`timeline-${state}`}
            aria-current={state === 'current' || state === 'waiting' ? 'step' : undefined}
          >
            <span class="timeline-sign">
              <Icon name={STEP_ICONS[state]} />
            </span>
            <span class="timeline-title">{title}</span>
            <span class="quiet">
              {at ? (
                <time dateTime={at} title={localTime(at)}>
                  {since(at, now)}
                </time>
              ) : (
                words
              )}
            </span>
          </li>
        ))}
      </ol>
      {current && (
        <p class="timeline-now" aria-hidden="true">
          <strong>{current.title}</strong>: {current.at ? since(current.at, now) : current.words}
        </p>
      )}
    </>
  );
}

/** What else to do next. A live domain gets advice instead. */
function NextSteps({ report, isToCreate }: { report: DomainReport; isToCreate: boolean }) {
  // The button that creates the records here delegates their zone, too.
  const todo = report.todo.filter(({ kind }) => !(isToCreate && kind === 'delegation'));
  if (todo.length === 0 || statusView(report).isServed) return null;
  return (
    <ul class="next-steps">
      {todo.map(({ text }) => (
        <li key={text} class="break">
          {text}
        </li>
      ))}
    </ul>
  );
}

function AdviceList({ report }: { report: DomainReport }) {
  const advice = adviceFor(report, useNow());
  if (advice.length === 0) return null;
  return (
    <div class="advice">
      {advice.map(({ title, lines, command }) => (
        <section key={title}>
          <h2>{title}</h2>
          <Lines lines={lines} />
          {command && <CopyableCode text={command} what="the command" />}
        </section>
      ))}
    </div>
  );
}

/** How to call a live domain on one machine; browsers can't, because they use public DNS. */
function TryIt({ domain }: { domain: string }) {
  const { details } = useEnvironment();
  if (!details?.edge) return null;
  return <CopyableCode text={curlCommand(`https://${domain}`, details.edge)} what="the command" />;
}

/** Whether the DNS server of this machine lacks records of domains that can point here. */
function isCreatable([first, ...others]: readonly DomainReport[]): boolean {
  if (!first || first.detour || statusView(first).isBeingRemoved) return false;
  // The records of a domain that has failed for another reason don't help.
  if (factsOf(first).group === 'failed' && openRows(first).length === 0) return false;
  const isThere = ({ state }: DomainRecord) => state === 'ok' || state === 'spreading';
  const reports = [first, ...others];
  const hasFix = reports.some(({ troubles }) => troubles.some(({ fix }) => fix !== null));
  return hasFix || !reports.flatMap(recordsToCreate).every(isThere);
}

/** On one machine: creates the records at its DNS server, as the owner of the domain would at the provider, and verifies. */
function CreateRecords({
  reports,
  verification,
}: {
  reports: readonly DomainReport[];
  verification: ReturnType<typeof useVerification>;
}) {
  const [first] = reports;
  const { stage } = useEnvironment();
  const [change, setChange] = useState<{ isSending: boolean; error?: ShownError | undefined }>();
  const [inTheWay, setInTheWay] = useState<readonly string[]>([]);
  if (!first) return null;
  const isSending = change?.isSending || verification.isSending;
  const error = change?.error ?? verification.error;
  const isSwitch = canSwitch(first);
  const create = async (confirmed: readonly string[]) => {
    setChange({ isSending: true });
    const domains = reports.map(({ domain }) => domain);
    const response = await createDnsRecords(stage, { project: first.project, domains, confirmed });
    setChange({ isSending: false, error: response.ok ? undefined : response.error });
    if (!response.ok) return;
    const { created } = response.result;
    setInTheWay(response.result.inTheWay);
    if (created.length === 0) return;
    await verification.verify();
  };
  return (
    <>
      <ChangeButton
        change={{ isSending, error: inTheWay.length === 0 ? error : undefined }}
        isPrimary
        onClick={() => create([])}
      >
        {isSwitch ? 'Switch the traffic and verify' : 'Create the records and verify'}
      </ChangeButton>
      {inTheWay.length > 0 && (
        <FormDialog
          title={inTheWay.length === 1 ? 'Replace a DNS record?' : `Replace ${inTheWay.length} DNS records?`}
          action={isSwitch ? 'Replace and switch' : 'Replace'}
          tone="danger"
          change={{ isSending, error }}
          onClose={() => setInTheWay([])}
          onSubmit={() => create(inTheWay)}
        >
          <p>
            {inTheWay.length === 1 ? 'This record is' : 'These records are'} in the way.{' '}
            {isSwitch
              ? 'Visitors then come here, without a gap.'
              : `What ${inTheWay.length === 1 ? 'it serves' : 'they serve'} goes offline until the domain is live here.`}
          </p>
          <ul class="consequences">
            {inTheWay.map(text => (
              <li key={text} class="mono break">
                {text}
              </li>
            ))}
          </ul>
        </FormDialog>
      )}
    </>
  );
}

/** The history of the domain, newest first. */
function DomainHistory({ report }: { report: DomainReport }) {
  const { history, certificate, deadlines } = report;
  const { flow, awaits } = statusView(report);
  const time = (at: string | null | undefined) => at && <Time at={at} />;
  const facts = [
    ['Certificate', certificate.failure ?? certificate.status ?? 'Not requested yet'],
    ['Renewal', certificate.renewal],
    ['Checks end', flow === 'verification' && time(deadlines.verification)],
    ['Switch by', awaits === 'switch' && time(deadlines.switch)],
    ['Reserved until', flow !== 'verification' && time(deadlines.claim)],
    ['ARN', certificate.arn && <span class="mono">{certificate.arn}</span>],
  ] as const;
  return (
    <details class="panel history">
      <summary>History and certificate</summary>
      <dl class="facts">
        {facts.map(
          ([title, value]) =>
            value && (
              <div key={title}>
                <dt>{title}</dt>
                <dd class="break">{value}</dd>
              </div>
            ),
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
