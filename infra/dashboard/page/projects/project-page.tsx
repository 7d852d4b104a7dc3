import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Plan, Project, ProjectView } from '../../../../shared/operator/contract.ts';
import { ChangeDialog } from '../dialog.tsx';
import { CopyButton, ErrorNote, ExternalLink, Loading, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { announce } from '../notices.ts';
import { refreshAll, useLive } from '../queries.ts';
import { pathOf, type Route } from '../routes.ts';
import { DeployState, NameField, PlanField } from './projects-page.tsx';

/** Project settings: the name, the plan, and the deploys. */
export function ProjectPage({ id }: { id: string }) {
  const { value: project, error } = useLive('projects.show', { id });
  const [opened, setOpened] = useState<'name' | 'plan' | 'deploy'>();
  const close = () => setOpened(undefined);
  const button = (title: string, dialog: typeof opened) => (
    <button type="button" class="button small" onClick={() => setOpened(dialog)}>
      {title}
    </button>
  );
  return (
    <>
      <ProjectHead id={id} project={project} current="project" />
      <ErrorNote error={error} onRetry={refreshAll} />
      {!project && !error && <Loading what="the project" />}
      {project && (
        <dl class="panel settings">
          <Setting title="Display name" action={button('Rename', 'name')}>
            {project.name ? <bdi>{project.name}</bdi> : <span class="quiet">None</span>}
          </Setting>
          <Setting title="Plan" action={button('Change plan', 'plan')}>
            <span class="chip">{project.plan}</span>
          </Setting>
          <Setting title="Last deploy" action={button('Record a deploy', 'deploy')}>
            <DeployState deploy={project.deploy} /> {project.deploy.at && <Time at={project.deploy.at} />}
          </Setting>
          <Setting
            title="Default URL"
            action={<CopyButton text={project.defaultUrl} what="the default URL" />}
          >
            <ExternalLink url={project.defaultUrl} />
            {project.defaultUrlState !== 'serving' && (
              <span class="quiet">
                {DEFAULT_URL_STATES[project.defaultUrlState]} {project.defaultUrlReason}
              </span>
            )}
          </Setting>
          <Setting title="Created">
            <Time at={project.createdAt} />
          </Setting>
        </dl>
      )}
      {project && opened === 'name' && <Rename project={project} onClose={close} />}
      {project && opened === 'plan' && <ChangePlan project={project} onClose={close} />}
      {project && opened === 'deploy' && <RecordDeploy id={id} onClose={close} />}
    </>
  );
}

interface SettingProps {
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Setting({ title, action, children }: SettingProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
      {action && <dd>{action}</dd>}
    </div>
  );
}

const DEFAULT_URL_STATES: Readonly<Record<ProjectView['defaultUrlState'], string>> = {
  pending: 'Not set up yet.',
  serving: '',
  redirecting: 'Redirects to the primary domain.',
  closed: 'Closed: it responds with 403.',
};

/** What recording a deploy means. */
export const A_DEPLOY =
  "You publish a project's API at API Gateway with your own tools; a project created here uses this service's API. If the API already works, record a deploy to unlock custom domains. Nothing is deployed.";

/** Asks first: domains can be added only after a successful deploy, so a record of one that never was misleads. */
function RecordDeploy({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <ChangeDialog
      command="projects.deployed"
      input={{ id }}
      title={`Record a deploy of ${id}?`}
      action="Record deploy"
      onClose={onClose}
      onDone={() => announce(`Recorded a successful deploy of ${id}.`)}
    >
      <p>{A_DEPLOY}</p>
    </ChangeDialog>
  );
}

function Rename({ project: { id, name }, onClose }: { project: Project; onClose: () => void }) {
  const [typed, setTyped] = useState(name ?? '');
  const renamed = (now: string | null) =>
    announce(now ? `Renamed ${id} to ${now}.` : `Removed the display name of ${id}.`);
  return (
    <ChangeDialog
      command="projects.rename"
      input={{ id, name: typed.trim() || null }}
      title={`Rename ${id}`}
      action="Rename"
      onClose={onClose}
      onDone={project => renamed(project.name)}
    >
      <NameField name={typed} onChange={setTyped} />
    </ChangeDialog>
  );
}

function ChangePlan({ project: { id, plan: current }, onClose }: { project: Project; onClose: () => void }) {
  const [plan, setPlan] = useState<Plan>(current);
  return (
    <ChangeDialog
      command="projects.plan"
      input={{ id, plan }}
      title={`Plan of ${id}`}
      action="Change plan"
      onClose={onClose}
      onDone={() => announce(`The plan is now ${plan}.`)}
    >
      <PlanField plan={plan} onChange={setPlan} />
    </ChangeDialog>
  );
}

/** The head of the pages of a project: breadcrumbs, its name and id, its URL and the tabs. */
export function ProjectHead({
  id,
  project,
  current,
}: {
  id: string;
  project: ProjectView | undefined;
  current: 'project' | 'domains';
}) {
  const { stage } = useEnvironment();
  const tabs: readonly { title: string; route: Route }[] = [
    { title: 'Domains', route: { page: 'domains', stage, project: id } },
    { title: 'General', route: { page: 'project', stage, project: id } },
  ];
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={pathOf({ page: 'projects', stage })}>Projects</a>
        <span aria-hidden="true">/</span>
        <bdi>{project?.name ?? id}</bdi>
        <span aria-hidden="true">/</span>
        <span>Project settings</span>
      </nav>
      <div class="page-head">
        <div>
          <h1 class="break">
            <bdi>{project?.name ?? id}</bdi>
          </h1>
          {project?.name && <p class="quiet mono break">{id}</p>}
          <p class="quiet address">
            {project ? (
              <>
                <ExternalLink url={project.url} />
                <CopyButton text={project.url} what="the URL" />
              </>
            ) : (
              'Project settings'
            )}
          </p>
        </div>
        {project && <span class="chip">{project.plan}</span>}
      </div>
      <nav class="tabs" aria-label="Project settings">
        {tabs.map(({ title, route }) => (
          <a key={title} href={pathOf(route)} aria-current={route.page === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </>
  );
}
