import { withAdvice } from './advice.ts';
import type { PetstoreCommand } from './petstore-command.ts';
import { DEPLOY_STATES, PLANS, type Project, readDeployState, readPlan } from './project.ts';
import { Session } from './session.ts';
import { projectTable, projectText } from './show-projects.ts';

/** petstore projects …: what is published, and whether it may have domains of its own. */
export function addProjectsCommand(program: PetstoreCommand): void {
  const projects = program
    .command('projects')
    .summary('create and list projects, set their plans, note their deploys')
    .description(
      'The projects that can have custom domains: for that a project is on the plan pro or above and was deployed. The stack itself is the project petstore, and every deploy of it is noted.',
    )
    .examples('projects list', 'projects create shop --plan pro', 'projects deployed shop');
  addCreate(projects);
  addList(projects);
  addShow(projects);
  addPlan(projects);
  addDeployed(projects);
}

interface CreateOptions {
  readonly plan?: string;
  readonly apiId?: string;
  readonly publishedStage?: string;
}

function addCreate(projects: PetstoreCommand): void {
  projects
    .command('create')
    .summary('create a project')
    .description('Creates a project. It is published at this service unless told otherwise.')
    .argument('<id>', 'its id: a–z, 0–9 and -')
    .option('--plan <plan>', `${PLANS.join(', ')} (default: free)`, readPlan)
    .option('--api-id <id>', 'the API Gateway API that it is published at (default: that of this service)')
    .option('--published-stage <name>', 'the stage of that API (default: that of this service)')
    .examples(
      'projects create shop --plan pro',
      'projects create shop --api-id a1b2c3d4e5 --published-stage live',
    )
    .action(async (id: string, options: CreateOptions, command: PetstoreCommand) => {
      const session = new Session(command);
      const { plan, apiId, publishedStage: stage } = options;
      const fields = { id, ...(plan && { plan }), ...(apiId && { apiId }), ...(stage && { stage }) };
      const project = await session.change<Project>('projects.create', fields, `create the project ${id}`);
      session.show(project, style =>
        [
          `Created the project ${id} in ${session.place}.`,
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
    .description('Lists the projects with their plans, their last deploys and their primary domains.')
    .examples(
      'projects list',
      'projects list --stage production',
      "projects list --json | jq '.projects[].id'",
    )
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await session.read<{ projects: Project[] }>('projects.list');
      session.show(result, style =>
        result.projects.length > 0
          ? projectTable(result.projects, style, Date.now())
          : `No projects yet. Create one with: ${session.commandLine('projects create shop --plan pro')}`,
      );
    });
}

function addShow(projects: PetstoreCommand): void {
  projects
    .command('show')
    .summary('show a project')
    .description('Shows a project: its plan, its last deploy, where it is published, its domains.')
    .argument('<id>', 'the id of the project')
    .examples('projects show petstore', 'projects show petstore --json | jq -r .plan')
    .action(async (id: string, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const project = await withAdvice(wayToIds(session), session.read<Project>('projects.show', { id }));
      session.show(project, style => projectText(project, style, Date.now()));
    });
}

function addPlan(projects: PetstoreCommand): void {
  projects
    .command('plan')
    .summary('set the plan of a project')
    .description('Sets the plan of a project. Custom domains need pro or above.')
    .argument('<id>', 'the id of the project')
    .argument('<plan>', PLANS.join(', '), readPlan)
    .examples('projects plan shop pro', 'projects plan shop enterprise --stage production --yes')
    .action(async (id: string, plan: string, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const words = `set the plan of the project ${id} to ${plan}`;
      const project = await withAdvice(
        wayToIds(session),
        session.change<Project>('projects.plan', { id, plan }, words),
      );
      session.show(
        project,
        () => `The project ${id} in ${session.place} is on the plan ${project.plan} now.`,
      );
    });
}

function addDeployed(projects: PetstoreCommand): void {
  projects
    .command('deployed')
    .summary('note a deploy of a project')
    .description('Notes what the last deploy of a project came to. Custom domains need one that succeeded.')
    .argument('<id>', 'the id of the project')
    .option('--state <state>', `${DEPLOY_STATES.join(', ')} (default: succeeded)`, readDeployState)
    .examples('projects deployed shop', 'projects deployed shop --state failed')
    .action(async (id: string, { state }: { state?: string }, command: PetstoreCommand) => {
      const session = new Session(command);
      const fields = { id, ...(state && { state }) };
      const words = `note that the deploy of the project ${id} came to: ${state ?? 'succeeded'}`;
      const project = await withAdvice(
        wayToIds(session),
        session.change<Project>('projects.deployed', fields, words),
      );
      session.show(
        project,
        () => `The last deploy of the project ${id} in ${session.place}: ${project.deploy.state}.`,
      );
    });
}

const wayToIds = (session: Session) => `See the projects with: ${session.commandLine('projects list')}`;
