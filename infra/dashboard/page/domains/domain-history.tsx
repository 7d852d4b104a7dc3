import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { Time } from '../elements.tsx';

/** What the domain has been through, the latest first. */
export function DomainHistory({
  report: { history, certificate, deadlines, status },
}: {
  report: DomainReport;
}) {
  const isWaiting = status === 'verifying' || status === 'issuing';
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
