import { useState } from 'preact/hooks';
import type { DomainReport, ProjectView } from '../../../../shared/operator/contract.ts';
import { needsAction } from '../../../cli/domains/domain-report.ts';
import { EmptyState, ErrorNote, Loading, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { useLive } from '../hooks.ts';
import { Icon } from '../icons.tsx';
import { INTERVAL_MS } from '../polling.ts';
import { pathOf } from '../routes.ts';
import { CreateProject } from './create-project.tsx';
import { DeployState } from './deploy-state.tsx';

/** A browser opens six connections to a host. */
const CARDS_AT_FULL_PACE = 6;

export function ProjectsPage() {
  const { stage } = useEnvironment();
  const { value, error } = useLive(stage, 'projects.list', {});
  const [isCreating, setCreating] = useState(false);
  const projects = value?.projects;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Projects</h1>
          <p class="quiet">What is published, where, and under which domains.</p>
        </div>
        <button type="button" class="button" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New project
        </button>
      </div>
      <ErrorNote error={error} />
      {!projects && !error && <Loading what="projects" />}
      {projects?.length === 0 && (
        <EmptyState title="No projects yet">
          <p>
            Every deploy of the stack records itself as the project <code>petstore</code>. Or create one with
            the button above.
          </p>
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <ul class="cards">
          {projects.map(project => (
            <ProjectCard key={project.id} project={project} intervalMs={intervalFor(projects.length)} />
          ))}
        </ul>
      )}
      {isCreating && <CreateProject onClose={() => setCreating(false)} />}
    </>
  );
}

/** Every card reads the domains of its project: many cards share what a browser and the function can do at once. */
function intervalFor(cards: number): number {
  return INTERVAL_MS * Math.max(1, Math.ceil(cards / CARDS_AT_FULL_PACE));
}

function ProjectCard({ project, intervalMs }: { project: ProjectView; intervalMs: number }) {
  const { stage } = useEnvironment();
  const { id, plan, deploy, address } = project;
  const { value } = useLive(stage, 'domains.list', { project: id }, intervalMs);
  return (
    <li class="card project">
      <div class="card-head">
        <h2>
          <a href={pathOf({ page: 'domains', stage, project: id })}>{id}</a>
        </h2>
        <span class="chip">{plan}</span>
      </div>
      <dl class="facts">
        <div>
          <dt>Address</dt>
          <dd class="mono">{address.replace('https://', '')}</dd>
        </div>
        <div>
          <dt>Last deploy</dt>
          <dd>
            <DeployState deploy={deploy} /> {deploy.at && <Time at={deploy.at} />}
          </dd>
        </div>
        <div>
          <dt>Domains</dt>
          <dd>{value ? <DomainsSummary domains={value.domains} /> : '…'}</dd>
        </div>
      </dl>
    </li>
  );
}

function DomainsSummary({ domains }: { domains: readonly DomainReport[] }) {
  if (domains.length === 0) return <span class="quiet">none yet</span>;
  const live = domains.filter(({ status }) => status === 'live').length;
  const open = domains.filter(needsAction).length;
  return (
    <>
      {domains.length}, {live} live{' '}
      {open > 0 && (
        <State tone="attention">
          {open} {open === 1 ? 'needs' : 'need'} attention
        </State>
      )}
    </>
  );
}
