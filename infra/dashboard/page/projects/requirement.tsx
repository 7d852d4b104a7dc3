import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { ErrorNote } from '../elements.tsx';
import { SLOW_INTERVAL_MS } from '../live-query.ts';
import { announce } from '../notices.ts';
import { useChange, useLive } from '../queries.ts';

/** What a project lacks for custom domains, and the button that provides it. */
type Lack = 'plan' | 'deploy';

export function lackOf({ plan, deploy }: Pick<ProjectView, 'plan' | 'deploy'>): Lack | undefined {
  if (plan === 'free') return 'plan';
  return deploy.succeededAt === null ? 'deploy' : undefined;
}

/** A button for what a project lacks; nothing if it lacks nothing. */
export function MeetRequirement({ id }: { id: string }) {
  const { value } = useLive('projects.show', { id }, SLOW_INTERVAL_MS);
  const lack = value && lackOf(value);
  return lack ? <RequirementButton id={id} lack={lack} /> : null;
}

export function RequirementButton({ id, lack }: { id: string; lack: Lack }) {
  const upgrade = useChange('projects.plan');
  const record = useChange('projects.deployed');
  const { isSending, error } = lack === 'plan' ? upgrade : record;
  const meet = async () => {
    if (lack === 'plan') {
      if (await upgrade.send({ id, plan: 'pro' })) announce('The plan is now pro.');
    } else if (await record.send({ id })) announce(`Recorded a successful deploy of ${id}.`);
  };
  return (
    <>
      <ErrorNote error={error} />
      <button type="button" class="button small" aria-busy={isSending} onClick={() => !isSending && meet()}>
        {lack === 'plan' ? 'Change to pro' : 'Record a deploy'}
      </button>
    </>
  );
}
