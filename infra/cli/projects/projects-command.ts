import type { ProjectView, WhileLive } from '../../../shared/operator/contract.ts';
import { WHILE_LIVE_CHOICES } from '../../../shared/projects/project-choices.ts';
import { usageError, withAdvice } from '../../operator/connection/command-error.ts';
import { withReachableUrl } from '../../operator/connection/target.ts';
import { curlCommand } from '../../operator/domains/domain-report.ts';
import { addRow, type SubcommandRow } from '../framework/command-row.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import type { Session } from '../framework/session.ts';
import { prose } from '../framework/style.ts';
import { quotedName } from '../keys/show-api-keys.ts';
import { projectTable, projectText } from './project-text.ts';

export function declareGroup(projects: PetstoreCommand): void {
  projects
    .description(
      'A project can have custom domains once it is on the pro plan or above and has a successful deploy. The stack itself is project petstore; each deploy of the stack is recorded automatically.',
    )
    .examples('projects list', 'projects create shop --plan pro', 'projects deployed shop');
  addRow(projects, CREATE);
  addRow(projects, LIST);
  addRow(projects, SHOW);
  addRow(projects, RENAME);
  addRow(projects, PLAN);
  addRow(projects, DEPLOYED);
  addRow(projects, ENDPOINT);
}

const CREATE: SubcommandRow<'projects.create'> = {
  command: 'projects.create',
  summary: 'create a project',
  description: "Creates a project. By default it's published at this service's API.",
  fields: {
    id: ['<id>', 'its ID: 2–63 lowercase letters, digits or hyphens'],
    name: ['--name <name>', 'a display name, shown beside the ID: 1–64 characters, any script'],
    plan: ['--plan <plan>', '{choices} (default: {default})'],
    apiId: ['--api-id <id>', "the API Gateway API it's published at (default: this service's)"],
    stage: ['--published-stage <name>', "the stage of that API (default: this service's)"],
  },
  examples: [
    'projects create shop --plan pro',
    'projects create shop --name "Corner Shop"',
    'projects create shop --api-id a1b2c3d4e5 --published-stage live',
  ],
  question: ({ id }) => `create project ${id}`,
  response: async (sent, { target }) => withReachableUrl(await sent, target),
  done:
    (project, session, { id }) =>
    style =>
      [
        prose(`Created project ${id} in ${session.environment}.`, style),
        '',
        projectText(project, style, Date.now()),
        '',
        'Before it can have custom domains:',
        ...(project.plan === 'free' ? [`  ${session.commandLine(`projects plan ${id} pro`)}`] : []),
        `  ${session.commandLine(`projects deployed ${id}`)}`,
      ].join('\n'),
};

const LIST: SubcommandRow<'projects.list'> = {
  command: 'projects.list',
  aliases: ['ls'],
  summary: 'list the projects',
  description: 'Lists the projects with their plans, their last deploys and their URLs.',
  examples: [
    'projects list',
    'projects list --stage production',
    "projects list --json | jq '.projects[].id'",
  ],
  async response(sent, { target }) {
    const { projects } = await sent;
    return { projects: projects.map(project => withReachableUrl(project, target)) };
  },
  done: ({ projects }, session) =>
    projects.length > 0
      ? style => projectTable(projects, style, Date.now())
      : `No projects yet. Create one: ${session.commandLine('projects create shop --plan pro')}`,
};

const ID = ['<id>', 'the ID of the project'] as const;

const SHOW: SubcommandRow<'projects.show'> = {
  command: 'projects.show',
  aliases: ['inspect'],
  summary: 'show a project',
  description: "Shows a project: its plan, its last deploy, where it's published, and its domains.",
  fields: { id: ID },
  examples: ['projects show petstore', 'projects show petstore --json | jq -r .plan'],
  response: projectFrom,
  done(project, { target: { edge } }) {
    // A default URL takes a minute to be set up; the endpoint of the API is there before.
    const url = project.defaultUrlState === 'pending' ? project.endpointUrl : project.url;
    return style =>
      [
        projectText(project, style, Date.now()),
        ...(edge ? ['', 'Call it on this machine:', `  ${curlCommand(url, edge)}`] : []),
      ].join('\n');
  },
};

const RENAME: SubcommandRow<'projects.rename'> = {
  command: 'projects.rename',
  summary: 'set or remove the display name of a project',
  description:
    "Sets a project's display name, which is shown beside its ID. The ID never changes: commands, URLs and DNS use it.",
  fields: { id: ID, name: ['[name]', 'the display name: 1–64 characters, any script'] },
  flags: [['--clear', 'remove the display name']],
  input({ id, name = null, clear = false }) {
    if ((name === null) !== clear) throw usageError('Give either a name or --clear.');
    return { id, name };
  },
  examples: ['projects rename shop "Corner Shop"', 'projects rename shop --clear'],
  question: ({ id, name }) =>
    name === null
      ? `remove the display name of project ${id}`
      : `rename project ${id} to ${quotedName({ name })}`,
  response: projectFrom,
  done: ({ name }, { environment }, { id }) =>
    name === null
      ? `Removed the display name of project ${id} in ${environment}.`
      : `Project ${id} is now called ${quotedName({ name })} in ${environment}.`,
};

const PLAN: SubcommandRow<'projects.plan'> = {
  command: 'projects.plan',
  summary: 'set the plan of a project',
  description: "Sets a project's plan. Custom domains need the pro plan or above.",
  fields: { id: ID, plan: ['<plan>'] },
  examples: ['projects plan shop pro', 'projects plan shop enterprise --stage production --yes'],
  question: ({ id, plan }) => `set the plan of project ${id} to ${plan}`,
  response: projectFrom,
  done: ({ plan }, { environment }, { id }) => `Project ${id} is now on the ${plan} plan in ${environment}.`,
};

const DEPLOYED: SubcommandRow<'projects.deployed'> = {
  command: 'projects.deployed',
  summary: 'record a deploy of a project',
  description: "Records the outcome of a project's last deploy. Custom domains need a successful one.",
  fields: { id: ID, state: ['--state <state>', '{choices} (default: {default})'] },
  examples: ['projects deployed shop', 'projects deployed shop --state failed'],
  question: ({ id, state = 'succeeded' }) => `record the last deploy of project ${id} as ${state}`,
  response: projectFrom,
  done: ({ deploy }, { environment }, { id }) =>
    `Recorded the last deploy of project ${id} in ${environment}: ${deploy.state}.`,
};

const ENDPOINT: SubcommandRow<'projects.endpoint'> = {
  command: 'projects.endpoint',
  summary: 'set what the default URL does while the primary domain is live',
  description:
    "Sets what the default URL of a project does while its primary domain is live: redirect to it (308, the default), serve the project alongside it, or respond with 403. Without a platform domain, the default URL is the endpoint of the API, which can't redirect. --close closes that endpoint, too, once every project at the API is set to close it and has a live primary domain.",
  fields: { id: ID },
  flags: [
    ['--redirect', 'redirect to the primary domain'],
    ['--serve', 'serve the project alongside the primary domain'],
    ['--close', 'respond with 403'],
  ],
  input({ id, close: closed, ...others }) {
    const isAsked = { ...others, closed };
    const [whileLive, ...more] = WHILE_LIVE_CHOICES.filter(choice => isAsked[choice]);
    if (whileLive !== undefined && more.length === 0) return { id, whileLive };
    throw usageError('Choose one: --redirect, --serve or --close.');
  },
  examples: [
    'projects endpoint petstore --redirect',
    'projects endpoint petstore --serve',
    'projects endpoint petstore --close',
  ],
  question: ({ id, whileLive }) =>
    `make the default URL of project ${id} ${SUMMARIES[whileLive]} while its primary domain is live`,
  response: projectFrom,
  done: outcomeOf,
};

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
async function projectFrom(sent: Promise<ProjectView>, session: Session): Promise<ProjectView> {
  const projects = `List the projects: ${session.commandLine('projects list')}`;
  const advice = { project_unknown: projects, id_invalid: projects };
  return withReachableUrl(await withAdvice(advice, sent), session.target);
}
