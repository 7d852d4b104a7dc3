import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { countdown, localTime, State, since } from '../elements.tsx';
import { useNow } from '../observable.ts';
import { domainState, statusView } from './domain-view.ts';

export function DomainState({ report }: { report: DomainReport }) {
  const { tone, words } = domainState(report);
  return <State tone={tone}>{words}</State>;
}

export function DomainRole({ report }: { report: DomainReport }) {
  const { role, redirect } = report;
  switch (role) {
    case 'primary':
      return <span class="chip chip-strong">Primary</span>;
    case 'redirects':
      return (
        <span class="chip">
          Redirects to {redirect?.to} ({redirect?.status})
        </span>
      );
    case 'also_serves':
      return <span class="chip">Also serves</span>;
    case null:
      return null;
  }
}

/** When the domain was checked, and a countdown to the next check. */
export function CheckTimes({ report }: { report: DomainReport }) {
  const { checkedAt, nextCheckAt } = report;
  const now = useNow();
  const isDaily = statusView(report).isServed && nextCheckAt === null;
  return (
    <p class="quiet times">
      {checkedAt ? (
        <>
          Checked{' '}
          <time dateTime={checkedAt} title={localTime(checkedAt)}>
            {since(checkedAt, now)}
          </time>
        </>
      ) : (
        'Not checked yet'
      )}
      {nextCheckAt && (
        <>
          {' · next check '}
          <time dateTime={nextCheckAt} title={localTime(nextCheckAt)} class="countdown">
            {countdown(nextCheckAt, now)}
          </time>
        </>
      )}
      {isDaily && ' · checked every day'}
    </p>
  );
}
