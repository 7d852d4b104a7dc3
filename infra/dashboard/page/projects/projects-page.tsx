import { useState } from 'preact/hooks';
import type { Plan, Project } from '../../../../shared/operator/contract.ts';
import { PLANS } from '../../../../shared/projects/project-choices.ts';
import type { ListedProject } from '../../server/protocol.ts';
import { FormDialog } from '../dialog.tsx';
import type { StateWords } from '../domains/domain-view.ts';
import { EmptyState, ExternalLink, Help, Icon, Select, State, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { List } from '../list.tsx';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { useChange } from '../queries.ts';
import { pathOf } from '../routes.ts';

export function ProjectsPage() {
  const { stage } = useEnvironment();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Projects</h1>
          <p class="quiet">What is published in {stage}, and at which URLs.</p>
        </div>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New project
        </button>
      </div>
      <List
        list="projects"
        what="projects"
        placeholder="Search by name, ID, URL or plan"
        filters={{ paid: 'With custom domains', free: 'On the free plan', failed: 'Last deploy failed' }}
        sorts={{ attention: 'Attention', name: 'Name', newest: 'Newest', deployed: 'Last deploy' }}
        titles={['Project', 'URL', 'Domains', 'Last deploy', 'Plan']}
        row={project => <ProjectRow key={project.id} project={project} />}
        empty={
          <EmptyState title="No projects yet">
            <p>
              Deploying the stack adds the project <code>petstore</code>. You can also create one here.
            </p>
          </EmptyState>
        }
      />
      {isCreating && <CreateProject onClose={() => setCreating(false)} />}
    </>
  );
}

function ProjectRow({ project: { id, name, plan, deploy, url, domains } }: { project: ListedProject }) {
  const { stage } = useEnvironment();
  const path = pathOf({ page: 'domains', stage, project: id });
  return (
    <tr>
      <th scope="row" class="name">
        <a href={path}>
          <bdi>{name ?? id}</bdi>
        </a>
        {name && <small>{id}</small>}
      </th>
      <td data-title="URL">
        <ExternalLink url={url} />
      </td>
      <td data-title="Domains">
        {!domains?.total ? (
          <span class="quiet">{domains ? 'None' : '…'}</span>
        ) : (
          <span>
            {domains.live} of {domains.total} live
          </span>
        )}
        {domains && domains.attention > 0 && (
          <div>
            <a class="plain" href={`${path}?status=attention`}>
              <State tone="attention">
                {domains.attention} {domains.attention === 1 ? 'needs' : 'need'} attention
              </State>
            </a>
          </div>
        )}
      </td>
      <td data-title="Last deploy">
        <DeployState deploy={deploy} />
        {deploy.at && (
          <small>
            <Time at={deploy.at} />
          </small>
        )}
      </td>
      <td data-title="Plan">{plan}</td>
    </tr>
  );
}

function CreateProject({ onClose }: { onClose: () => void }) {
  const { stage } = useEnvironment();
  const change = useChange('projects.create');
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  const create = async () => {
    const project = await change.send({ id: id.trim(), name: name.trim() || undefined, plan });
    if (!project) return;
    announce(`Created project ${project.name ?? project.id}.`);
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
        ID
        <input
          required
          pattern="[a-z][a-z0-9\-]{0,61}[a-z0-9]"
          title="2–63 lowercase letters, digits or hyphens; start with a letter, don’t end with a hyphen"
          value={id}
          onInput={event => setId(event.currentTarget.value)}
          placeholder="shop"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <Help>
          2–63 lowercase letters, digits or hyphens. It can’t be changed later. The project is published at
          the API of this service.
        </Help>
      </label>
      <NameField name={name} onChange={setName} />
      <PlanField plan={plan} onChange={setPlan} />
    </FormDialog>
  );
}

export function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <label class="field">
      Display name
      <input
        value={name}
        onInput={event => onChange(event.currentTarget.value)}
        dir="auto"
        autocomplete="off"
      />
      <Help>Optional, up to 64 characters. Without one, the ID is shown.</Help>
    </label>
  );
}

export function PlanField({ plan, onChange }: { plan: Plan; onChange: (plan: Plan) => void }) {
  return (
    <Select
      title="Plan"
      value={plan}
      options={PLANS.map(each => [each, each])}
      onChange={onChange}
      help="Custom domains need the pro plan or above."
    />
  );
}

const WORDS: Readonly<Record<Project['deploy']['state'], StateWords>> = {
  succeeded: { tone: 'ok', words: 'Succeeded' },
  failed: { tone: 'bad', words: 'Failed' },
  none: { tone: 'muted', words: 'Never' },
};

export function DeployState({ deploy }: { deploy: Project['deploy'] }) {
  const { tone, words } = WORDS[deploy.state];
  return <State tone={tone}>{words}</State>;
}
