import type { DeployState, Plan, ProjectView, WhileLive } from '../../../shared/operator/contract.ts';
import { DEPLOY_STATES, PLANS, WHILE_LIVE_CHOICES } from '../../../shared/projects/project-choices.ts';
import { usageError, withAdvice } from '../../operator/connection/command-error.ts';
import { withReachableUrl } from '../../operator/connection/target.ts';
import { curlCommand } from '../../operator/domains/domain-report.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { prose } from '../framework/style.ts';
import { quotedName } from '../keys/show-api-keys.ts';
import { projectTable, projectText } from './project-text.ts';

export function declareGroup(projects: PetstoreCommand): void {
  projects
    .description(
      'A project can have custom domains once it is on the pro plan or above and has a successful deploy. The stack itself is project petstore; each deploy of the stack is recorded automatically.',
    )
    .examples('projects list', 'projects create shop --plan pro', 'projects deployed shop');
  addCreate(projects);
  addList(projects);
  addShow(projects);
  addRename(projects);
  addPlan(projects);
  addDeployed(projects);
  addEndpoint(projects);
}

interface CreateOptions {
  readonly name?: string;
  readonly plan?: Plan;
  readonly apiId?: string;
  readonly publishedStage?: string;
}

function addCreate(projects: PetstoreCommand): void {
  projects
    .command('create')
    .summary('create a project')
    .description("Creates a project. By default it's published at this service's API.")
    .argument('<id>', 'its id: 2–63 lowercase letters, digits or hyphens')
    .option('--name <name>', 'a display name, shown beside the id: 1–64 characters, any script')
    .choiceOption('--plan <plan>', `${PLANS.join(', ')} (default: free)`, PLANS)
    .option('--api-id <id>', "the API Gateway API it's published at (default: this service's)")
    .option('--published-stage <name>', "the stage of that API (default: this service's)")
    .examples(
      'projects create shop --plan pro',
      'projects create shop --name "Corner Shop"',
      'projects create shop --api-id a1b2c3d4e5 --published-stage live',
    )
    .action(async (id: string, options: CreateOptions, command: PetstoreCommand) => {
      const session = new Session(command);
      const { name, plan, apiId, publishedStage: stage } = options;
      const input = { id, name, plan, apiId, stage };
      const project = withReachableUrl(
        await session.change('projects.create', input, `create project ${id}`),
        session.target,
      );
      session.show(project, style =>
        [
          prose(`Created project ${id} in ${session.environment}.`, style),
          '',
          projectText(project, style, Date.now()),
          '',
          'Before it can have custom domains:',
          ...(project.plan === 'free' ? [`  ${session.commandLine(`projects plan ${id} pro`)}`] : []),
          `  ${session.commandLine(`projects deployed ${id}`)}`,
        ].join('\n'),
      );
    });
}

function addList(projects: PetstoreCommand): void {
  projects
    .command('list')
    .alias('ls')
    .summary('list the projects')
    .description('Lists the projects with their plans, their last deploys and their URLs.')
    .examples(
      'projects list',
      'projects list --stage production',
      "projects list --json | jq '.projects[].id'",
    )
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const { projects: found } = await session.read('projects.list');
      const result = { projects: found.map(project => withReachableUrl(project, session.target)) };
      session.show(
        result,
        result.projects.length > 0
          ? style => projectTable(result.projects, style, Date.now())
          : `No projects yet. Create one: ${session.commandLine('projects create shop --plan pro')}`,
      );
    });
}

function addShow(projects: PetstoreCommand): void {
  projects
    .command('show')
    .alias('inspect')
    .summary('show a project')
    .description("Shows a project: its plan, its last deploy, where it's published, and its domains.")
    .argument('<id>', 'the id of the project')
    .examples('projects show petstore', 'projects show petstore --json | jq -r .plan')
    .action(async (id: string, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const project = await projectFrom(session, session.read('projects.show', { id }));
      const { edge } = session.target;
      // A default URL takes a minute to be set up; the endpoint of the API is there before.
      const url = project.defaultUrlState === 'pending' ? project.endpointUrl : project.url;
      session.show(project, style =>
        [
          projectText(project, style, Date.now()),
          ...(edge ? ['', 'Call it on this machine:', `  ${curlCommand(url, edge)}`] : []),
        ].join('\n'),
      );
    });
}

function addRename(projects: PetstoreCommand): void {
  projects
    .command('rename')
    .summary('set or remove the display name of a project')
    .description(
      "Sets a project's display name, which is shown beside its id. The id never changes: commands, URLs and DNS use it.",
    )
    .argument('<id>', 'the id of the project')
    .argument('[name]', 'the display name: 1–64 characters, any script')
    .option('--clear', 'remove the display name')
    .examples('projects rename shop "Corner Shop"', 'projects rename shop --clear')
    .action(
      async (id: string, given: string | undefined, options: { clear?: true }, command: PetstoreCommand) => {
        const name = given ?? null;
        if ((name === null) !== (options.clear === true)) throw usageError('Give either a name or --clear.');
        const session = new Session(command);
        const summary =
          name === null
            ? `remove the display name of project ${id}`
            : `rename project ${id} to ${quotedName({ name })}`;
        const project = await projectFrom(session, session.change('projects.rename', { id, name }, summary));
        session.show(
          project,
          project.name === null
            ? `Removed the display name of project ${id} in ${session.environment}.`
            : `Project ${id} is now called ${quotedName({ name: project.name })} in ${session.environment}.`,
        );
      },
    );
}

function addPlan(projects: PetstoreCommand): void {
  projects
    .command('plan')
    .summary('set the plan of a project')
    .description("Sets a project's plan. Custom domains need the pro plan or above.")
    .argument('<id>', 'the id of the project')
    .choiceArgument('<plan>', PLANS)
    .examples('projects plan shop pro', 'projects plan shop enterprise --stage production --yes')
    .action(async (id: string, plan: Plan, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const summary = `set the plan of project ${id} to ${plan}`;
      const project = await projectFrom(session, session.change('projects.plan', { id, plan }, summary));
      session.show(project, `Project ${id} is now on the ${project.plan} plan in ${session.environment}.`);
    });
}

function addDeployed(projects: PetstoreCommand): void {
  projects
    .command('deployed')
    .summary('record a deploy of a project')
    .description("Records the outcome of a project's last deploy. Custom domains need a successful one.")
    .argument('<id>', 'the id of the project')
    .choiceOption('--state <state>', `${DEPLOY_STATES.join(', ')} (default: succeeded)`, DEPLOY_STATES)
    .examples('projects deployed shop', 'projects deployed shop --state failed')
    .action(async (id: string, { state }: { state?: DeployState }, command: PetstoreCommand) => {
      const session = new Session(command);
      const summary = `record the last deploy of project ${id} as ${state ?? 'succeeded'}`;
      const project = await projectFrom(session, session.change('projects.deployed', { id, state }, summary));
      session.show(
        project,
        `Recorded the last deploy of project ${id} in ${session.environment}: ${project.deploy.state}.`,
      );
    });
}

interface EndpointOptions {
  readonly redirect?: true;
  readonly serve?: true;
  readonly close?: true;
}

function addEndpoint(projects: PetstoreCommand): void {
  projects
    .command('endpoint')
    .summary('set what the default URL does while the primary domain is live')
    .description(
      "Sets what the default URL of a project does while its primary domain is live: redirect to it (308, the default), serve the project alongside it, or respond with 403. Without a platform domain, the default URL is the endpoint of the API, which can't redirect. --close closes that endpoint, too, once every project at the API is set to close it and has a live primary domain.",
    )
    .argument('<id>', 'the id of the project')
    .option('--redirect', 'redirect to the primary domain')
    .option('--serve', 'serve the project alongside the primary domain')
    .option('--close', 'respond with 403')
    .examples(
      'projects endpoint petstore --redirect',
      'projects endpoint petstore --serve',
      'projects endpoint petstore --close',
    )
    .action(async (id: string, options: EndpointOptions, command: PetstoreCommand) => {
      const { redirect, serve, close } = options;
      const isAsked = { redirect, serve, closed: close };
      const [whileLive, ...others] = WHILE_LIVE_CHOICES.filter(choice => isAsked[choice]);
      if (whileLive === undefined || others.length > 0) {
        throw usageError('Choose one: --redirect, --serve or --close.');
      }
      const session = new Session(command);
      const summary = `make the default URL of project ${id} ${SUMMARIES[whileLive]} while its primary domain is live`;
      const project = await projectFrom(
        session,
        session.change('projects.endpoint', { id, whileLive }, summary),
      );
      session.show(project, outcomeOf(project));
    });
}

const SUMMARIES: Readonly<Record<WhileLive, string>> = {
  redirect: 'redirect',
  serve: 'serve the project',
  closed: 'respond with 403',
};

function outcomeOf(project: ProjectView): string {
  const {
    defaultUrl,
    defaultUrlState: state,
    defaultUrlReason: reason,
    endpointUrl,
    url,
    whileLive,
  } = project;
  const wanted = { redirect: 'redirecting', serve: 'serving', closed: 'closed' }[whileLive];
  // With a platform domain, a change takes minutes.
  const isLagging = state !== wanted && reason !== null && endpointUrl !== defaultUrl;
  const still = isLagging ? 'still ' : '';
  const now = {
    pending: 'is pending.',
    serving: `${still}serves the project.`,
    redirecting: `${still}redirects to ${url}.`,
    closed: `is ${still}closed: it responds with 403.`,
  }[state];
  const because = reason === null ? '' : ` ${reason}`;
  const later = {
    redirect: 'will redirect to the primary domain once one is live.',
    serve: '',
    closed: 'will be closed once a primary domain is live.',
  }[whileLive];
  const isLater = state === 'serving' && reason === null && later !== '';
  return `${defaultUrl} ${now}${because}${isLater ? ` It ${later}` : ''}`;
}

/** The project of a response, as it can be reached from here, or what to do if there is none. */
async function projectFrom(session: Session, response: Promise<ProjectView>): Promise<ProjectView> {
  const projects = `List the projects: ${session.commandLine('projects list')}`;
  const advice = { project_unknown: projects, id_invalid: projects };
  return withReachableUrl(await withAdvice(advice, response), session.target);
}
