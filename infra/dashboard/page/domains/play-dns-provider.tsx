import { useState } from 'preact/hooks';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import type { ShownError } from '../../server/environment-view.ts';
import { announce } from '../announcements.tsx';
import { createDnsRecords } from '../api.ts';
import { ErrorNote } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { refreshAll } from '../live-store.ts';

/** On one machine: creates the records at the local DNS server, as the owner of the domain would at the provider. */
export function PlayDnsProvider({ report: { project, domain, records } }: { report: DomainReport }) {
  const { stage } = useEnvironment();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<ShownError>();
  const isInTheWay = records.some(({ state }) => state === 'conflict' || state === 'mismatch');
  const create = async () => {
    setSending(true);
    const answer = await createDnsRecords(stage, { project, domain });
    setSending(false);
    setError(answer.ok ? undefined : answer.error);
    if (answer.ok) announce(`Created ${answer.result.created} records at the DNS server of this machine.`);
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
