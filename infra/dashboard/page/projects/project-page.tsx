import { useState } from 'preact/hooks';
import type { Plan, Project, ProjectView } from '../../../../shared/operator/contract.ts';
import { FormDialog } from '../dialog.tsx';
import { CopyButton, ErrorNote, Loading, Time } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { announce } from '../notices.ts';
import { useChange, useLive } from '../queries.ts';
import { pathOf, type Route } from '../routes.ts';
import { DeployState, PlanField } from './projects-page.tsx';

/** Project settings: the plan, and the deploys. */
export function ProjectPage({ id }: { id: string }) {
  const { value: project, error } = useLive('projects.show', { id });
  const [isChangingPlan, setChangingPlan] = useState(false);
  const { send, isSending, error: deployError } = useChange('projects.deployed');
  const recordDeploy = async () => {
    if (await send({ id })) announce('Recorded a successful deploy.');
  };
  return (
    <>
      <ProjectHead id={id} project={project} current="project" />
      <ErrorNote error={error ?? deployError} />
      {!project && !error && <Loading what="the project" />}
      {project && (
        <div class="panel">
          <dl class="facts wide">
            <div>
              <dt>Plan</dt>
              <dd>
                {project.plan}{' '}
                <button type="button" class="button small" onClick={() => setChangingPlan(true)}>
                  Change plan
                </button>
              </dd>
            </div>
            <div>
              <dt>Last deploy</dt>
              <dd>
                <DeployState deploy={project.deploy} /> {project.deploy.at && <Time at={project.deploy.at} />}{' '}
                <button type="button" class="button small" onClick={recordDeploy} aria-busy={isSending}>
                  Record a deploy
                </button>
              </dd>
            </div>
            <div>
              <dt>
                Default address,{' '}
                {project.defaultEndpoint === 'closed'
                  ? 'closed: it answers 403'
                  : 'which works beside the domains'}
              </dt>
              <dd class="mono">{project.defaultAddress}</dd>
            </div>
            <div>
              <dt>Created</dt>
              <dd>
                <Time at={project.createdAt} />
              </dd>
            </div>
          </dl>
        </div>
      )}
      {project && isChangingPlan && <ChangePlan project={project} onClose={() => setChangingPlan(false)} />}
    </>
  );
}

function ChangePlan({ project, onClose }: { project: Project; onClose: () => void }) {
  const change = useChange('projects.plan');
  const [plan, setPlan] = useState<Plan>(project.plan);
  const submit = async () => {
    if (!(await change.send({ id: project.id, plan }))) return;
    announce(`The plan is now ${plan}.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Plan of ${project.id}`}
      action="Change plan"
      change={change}
      onClose={onClose}
      onSubmit={submit}
    >
      <PlanField plan={plan} onChange={setPlan} />
    </FormDialog>
  );
}

/** The head of the pages of a project: breadcrumbs, its URL and the tabs. */
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
    { title: 'Plan and deploys', route: { page: 'project', stage, project: id } },
  ];
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={pathOf({ page: 'projects', stage })}>Projects</a>
        <span aria-hidden="true">/</span>
        <span>{id}</span>
        <span aria-hidden="true">/</span>
        <span>Project settings</span>
      </nav>
      <div class="page-head">
        <div>
          <h1>{id}</h1>
          <p class="quiet address">
            {project ? (
              <>
                <span class="mono">{project.address}</span>
                <CopyButton text={project.address} what="the address" />
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
