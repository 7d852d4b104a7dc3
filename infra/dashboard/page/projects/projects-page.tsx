import { useState } from 'preact/hooks';
import type { DomainReport, Plan, Project, ProjectView } from '../../../../shared/operator/contract.ts';
import { PLANS } from '../../../../shared/projects/project-choices.ts';
import { needsAction } from '../../../cli/domains/domain-report.ts';
import { FormDialog } from '../dialog.tsx';
import { type StateWords, statusView } from '../domains/domain-view.ts';
import { EmptyState, ErrorNote, Icon, Loading, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { INTERVAL_MS } from '../live-query.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { useChange, useLive } from '../queries.ts';
import { pathOf } from '../routes.ts';

/** A browser opens six connections to a host. */
const CARDS_AT_FULL_PACE = 6;

export function ProjectsPage() {
  const { value, error } = useLive('projects.list', {});
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

/** Every card reads the domains of its project, so many cards read less often. */
function intervalFor(cards: number): number {
  return INTERVAL_MS * Math.max(1, Math.ceil(cards / CARDS_AT_FULL_PACE));
}

function ProjectCard({ project, intervalMs }: { project: ProjectView; intervalMs: number }) {
  const { stage } = useEnvironment();
  const { id, plan, deploy, address } = project;
  const { value } = useLive('domains.list', { project: id }, intervalMs);
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
  const live = domains.filter(report => statusView(report).isServed).length;
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

function CreateProject({ onClose }: { onClose: () => void }) {
  const { stage } = useEnvironment();
  const change = useChange('projects.create');
  const [id, setId] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  const create = async () => {
    const project = await change.send({ id: id.trim(), plan });
    if (!project) return;
    announce(`Created the project ${project.id}.`);
    onClose();
    navigate(pathOf({ page: 'project', stage, project: project.id }));
  };
  return (
    <FormDialog
      title="New project"
      action="Create project"
      change={change}
      onClose={onClose}
      onSubmit={create}
    >
      <label class="field">
        Id
        <input
          required
          value={id}
          onInput={event => setId(event.currentTarget.value)}
          placeholder="shop"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <small>a–z, 0–9 and hyphens. It is published at the API of this service.</small>
      </label>
      <PlanField plan={plan} onChange={setPlan} />
    </FormDialog>
  );
}

export function PlanField({ plan, onChange }: { plan: Plan; onChange: (plan: Plan) => void }) {
  return (
    <label class="field">
      Plan
      <select value={plan} onChange={event => onChange(event.currentTarget.value as Plan)}>
        {PLANS.map(each => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <small>Custom domains need pro or above.</small>
    </label>
  );
}

const WORDS: Readonly<Record<Project['deploy']['state'], StateWords>> = {
  succeeded: { tone: 'ok', words: 'Succeeded' },
  failed: { tone: 'bad', words: 'Failed' },
  none: { tone: 'muted', words: 'None yet' },
};

export function DeployState({ deploy }: { deploy: Project['deploy'] }) {
  const { tone, words } = WORDS[deploy.state];
  return <State tone={tone}>{words}</State>;
}
