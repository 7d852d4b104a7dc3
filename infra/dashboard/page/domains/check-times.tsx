import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { useNow } from '../hooks.ts';
import { countdown, localTime, since } from '../times.ts';

/** When the domain was checked, and when it will be next, counting down. */
export function CheckTimes({ report: { checkedAt, nextCheckAt, status } }: { report: DomainReport }) {
  const now = useNow();
  const isDaily = status === 'live' && nextCheckAt === null;
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
