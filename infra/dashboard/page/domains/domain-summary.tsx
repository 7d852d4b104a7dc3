import type { DomainReport, DomainSummary } from '../../../../shared/operator/contract.ts';
import { since } from '../../../operator/readable-times.ts';
import { Breakable, countdown, localTime, State } from '../elements.tsx';
import { useNow } from '../observable.ts';
import { domainState, statusView } from './domain-view.ts';

export function DomainState({ report }: { report: DomainSummary }) {
  const { tone, words } = domainState(report);
  return <State tone={tone}>{words}</State>;
}

export function DomainRole({ report }: { report: DomainSummary }) {
  const { role, redirect } = report;
  if (role === 'primary') return <span class="chip chip-strong">Primary</span>;
  if (redirect && (role !== 'also_serves' || redirect.isSuspended)) {
    const what = role === 'redirects' ? 'Redirects' : 'Will redirect';
    return (
      <span class="chip">
        {redirect.isSuspended ? 'Suspended redirect' : what} to <Breakable text={redirect.to} />
      </span>
    );
  }
  return role === 'also_serves' ? <span class="chip">Additional</span> : null;
}

/** A countdown to the next check, or how often a live domain is checked. */
export function NextCheck({ report }: { report: DomainSummary }) {
  const { nextCheckAt } = report;
  const now = useNow();
  if (nextCheckAt) {
    return (
      <time dateTime={nextCheckAt} title={localTime(nextCheckAt)} class="countdown">
        {countdown(nextCheckAt, now)}
      </time>
    );
  }
  return <span class="quiet">{statusView(report).isServed ? 'hourly' : '–'}</span>;
}

/** When the domain was last checked, and when it will be again. */
export function CheckTimes({ report }: { report: DomainReport }) {
  const { lookedAt, nextCheckAt, askedAt } = report;
  const { isServed, isBeingRemoved, flow, awaits } = statusView(report);
  const isToCheck = flow !== null || awaits !== null;
  const now = useNow();
  return (
    <p class="quiet times">
      {!isBeingRemoved && !lookedAt && isToCheck && <span>not checked yet</span>}
      {!isBeingRemoved && lookedAt && (
        <span>
          checked{' '}
          <time dateTime={lookedAt} title={localTime(lookedAt)}>
            {since(lookedAt, now)}
          </time>
        </span>
      )}
      {!isBeingRemoved && askedAt && (
        <span>
          the owner last asked{' '}
          <time dateTime={askedAt} title={localTime(askedAt)}>
            {since(askedAt, now)}
          </time>
        </span>
      )}
      {nextCheckAt && (
        <span>
          {isBeingRemoved ? 'next attempt' : 'next check'} <NextCheck report={report} />
        </span>
      )}
      {isServed && !nextCheckAt && <span>next check within an hour</span>}
    </p>
  );
}
