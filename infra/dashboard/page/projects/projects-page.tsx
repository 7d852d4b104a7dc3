import { useState } from 'preact/hooks';
import type { Plan, Project } from '../../../../shared/operator/contract.ts';
import { PLANS } from '../../../../shared/projects/project-choices.ts';
import type { ListedProject } from '../../server/protocol.ts';
import { ChangeDialog } from '../dialog.tsx';
import type { StateWords } from '../domains/domain-view.ts';
import {
  AddButton,
  AS_TYPED,
  EmptyState,
  ExternalLink,
  PageHead,
  Select,
  State,
  TextField,
  Time,
} from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { List } from '../list.tsx';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { pathOf } from '../routes.ts';

export function ProjectsPage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHead title="Projects" about="Projects and their URLs.">
        <AddButton title="New project" onClick={() => setCreating(true)} />
      </PageHead>
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
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  return (
    <ChangeDialog
      command="projects.create"
      input={{ id: id.trim(), name: name.trim() || undefined, plan }}
      title="New project"
      action="Create project"
      onClose={onClose}
      onDone={project => {
        announce(`Created project ${project.name ?? project.id}.`);
        navigate(pathOf({ page: 'project', stage, project: project.id }));
      }}
    >
      <TextField
        title="ID"
        value={id}
        onChange={setId}
        help="2–63 lowercase letters, digits or hyphens. It can't be changed later. The project uses this service's API."
        input={{
          ...AS_TYPED,
          required: true,
          pattern: '[a-z][a-z0-9\\-]{0,61}[a-z0-9]',
          title: "2–63 lowercase letters, digits or hyphens; start with a letter, don't end with a hyphen",
          placeholder: 'shop',
        }}
      />
      <NameField name={name} onChange={setName} />
      <PlanField plan={plan} onChange={setPlan} />
    </ChangeDialog>
  );
}

export function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <TextField
      title="Display name"
      value={name}
      onChange={onChange}
      help="Optional, up to 64 characters. Without one, the ID is shown."
      input={{ dir: 'auto' }}
    />
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
