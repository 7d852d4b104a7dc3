import { useState } from 'preact/hooks';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { read } from '../api.ts';
import { ErrorNote } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { SLOW_INTERVAL_MS } from '../live-query.ts';
import { announce } from '../notices.ts';
import { useChange, useList } from '../queries.ts';
import { statusView } from './domain-view.ts';

const PAUSE_MS = 1_000;
/** As long as a removal mostly takes. */
const MOST_PAUSES = 600;

/** Takes a domain from the project that has it. The claim of this one, which has failed, is removed first. */
export function MoveHere({ report: { project, domain } }: { report: DomainReport }) {
  const { stage } = useEnvironment();
  const { value } = useList('domains', { search: domain }, SLOW_INTERVAL_MS);
  const removal = useChange('domains.remove');
  const move = useChange('domains.move', { isTold: true });
  const [isMoving, setMoving] = useState(false);
  const owner = value?.rows.find(
    row => row.domain === domain && row.project !== project && statusView(row).isServed,
  )?.project;
  if (!owner) return null;
  const take = async () => {
    setMoving(true);
    announce(`Moving ${domain} from ${owner}. That takes a moment.`);
    await removal.send({ project, domain });
    for (let pauses = 0; pauses < MOST_PAUSES; pauses += 1) {
      const response = await read(stage, 'domains.show', { project, domain });
      if (!response.ok && response.error.reason === 'domain_unknown') {
        // Once the claim is gone from the page, it's said without this.
        const moved = await move.send({ project: owner, domain, to: project, alone: true });
        if (moved) announce(`Moved ${domain} to project ${project}.`);
        break;
      }
      // The removal was refused, which is said.
      if (response.ok && !statusView(response.result).isBeingRemoved) break;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
    setMoving(false);
  };
  return (
    <>
      <ErrorNote error={removal.error} />
      <button type="button" class="button primary" aria-busy={isMoving} onClick={() => !isMoving && take()}>
        {isMoving ? 'Working …' : `Move from ${owner}`}
      </button>
    </>
  );
}
