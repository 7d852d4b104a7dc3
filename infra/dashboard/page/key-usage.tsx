import { useEffect, useState } from 'preact/hooks';
import type { ApiKey } from '../../../shared/operator/contract.ts';
import type { ApiResponse, KeyUsage } from '../server/protocol.ts';
import { keyUsage } from './api.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote, Select } from './elements.tsx';
import { useEnvironment } from './environment.ts';

/** In days. */
const PERIODS = [
  [1, 'The last day'],
  [7, 'The last week'],
  [30, 'The last month'],
] as const;

/** What a key was used for. It isn't refreshed automatically: each look is a query of the access log. */
export function KeyUsageDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { stage } = useEnvironment();
  const [days, setDays] = useState<number>(7);
  const [response, setResponse] = useState<ApiResponse<readonly KeyUsage[]>>();
  useEffect(() => {
    let isLatest = true;
    setResponse(undefined);
    keyUsage(stage, { id: apiKey.id, days }).then(latest => isLatest && setResponse(latest));
    return () => {
      isLatest = false;
    };
  }, [stage, apiKey.id, days]);
  return (
    <Dialog title={`Usage of the key for ${apiKey.name}`} onClose={onClose}>
      <div class="dialog-body">
        <Select title="Period" value={days} options={PERIODS} onChange={setDays} />
        <div aria-live="polite">
          {response === undefined && <p class="quiet">Reading the access log …</p>}
          {response?.ok === false && <ErrorNote error={response.error} />}
          {response?.ok && <UsageTable usage={response.result} />}
        </div>
        <p class="quiet">
          The access log is a minute or so behind. Requests throttled before the key check aren't counted.
        </p>
        <footer>
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function UsageTable({ usage }: { usage: readonly KeyUsage[] }) {
  if (usage.length === 0) return <p>The key wasn't used in this period.</p>;
  return (
    <table class="list">
      <thead>
        <tr>
          {['Operation', 'Requests', 'Refused', 'Throttled', 'Failed'].map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {usage.map(({ operation, requests, refused, throttled, failed }) => (
          <tr key={operation}>
            <th scope="row">{operation}</th>
            <td data-title="Requests">{requests}</td>
            <td data-title="Refused">{refused}</td>
            <td data-title="Throttled">{throttled}</td>
            <td data-title="Failed">{failed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
