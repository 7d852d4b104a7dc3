import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents, findItem, type Item, scanAll } from '../aws/document-client.ts';
import { orUnavailable } from '../aws/dynamodb.ts';
import type { Write } from '../aws/transaction.ts';
import { type DeployState, type Plan, Project, Routing, type WhileLive } from './project.ts';
import { DEFAULT_WHILE_LIVE } from './project-choices.ts';
import { NO_ROUTING } from './routing.ts';

/** A deploy: where the project is published, and its plan if it is new. */
type ProjectDeploy = Pick<Project, 'id' | 'plan' | 'apiId' | 'stage'>;

/** The projects, in the table whose layout is in project.ts. */
export interface ProjectStore {
  find(id: string): Promise<Project | undefined>;
  /** All of them, by id. */
  list(): Promise<Project[]>;
  /** Records a successful deploy, and adds the project if it is new. */
  recordDeploy(projectDeploy: ProjectDeploy, at: string): Promise<void>;
  /**
   * The write that changes the routing of a project as it was read; refused with RoutingChanged. `isPaid` asks for a paid
   * plan, too, and is refused with PlanRequired.
   */
  routingChange(project: Project, after: Routing, options?: { readonly isPaid?: boolean }): Write;
  /** The write that adds a project; refused with ProjectExists. */
  addition(project: Project): Write;
  /** The write that gives a project another display name, or none; refused with ProjectUnknown. */
  nameChange(id: string, name: string | null): Write;
  /** The write that gives a project another plan; refused with ProjectUnknown. */
  planChange(id: string, plan: Plan): Write;
  /** The check, as part of a transaction, that a project has a paid plan; refused with PlanRequired. */
  paidPlanCheck(id: string): Write;
  /** The write that says what the default URL does while the primary is live; refused with ProjectUnknown. */
  endpointChange(id: string, whileLive: WhileLive): Write;
  /** The write that records a deploy; refused with ProjectUnknown. */
  deployChange(id: string, state: DeployState, at: string): Write;
}

export class ProjectExists extends Error {
  override readonly name = 'ProjectExists';
}

export class ProjectUnknown extends Error {
  override readonly name = 'ProjectUnknown';
}

/** The project is not on a plan that has custom domains. */
export class PlanRequired extends Error {
  override readonly name = 'PlanRequired';

  constructor(id: string) {
    super(`Project ${id} is on the free plan. Custom domains need the pro plan or above.`);
  }
}

/** The routing was changed since it was read: read it again. */
export class RoutingChanged extends Error {
  override readonly name = 'RoutingChanged';
}

const MAX_ATTEMPTS = 6;

/** Does work that reads and changes a project's routing, and repeats it if somebody changed the routing in between. */
export async function followingRouting<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RoutingChanged) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** `plan` and `name` are reserved words. */
const PLAN_NAME = { '#plan': 'plan' };
const NAME_NAME = { '#name': 'name' };

export function projectStore(tableName: string): ProjectStore {
  const change = (
    id: string,
    UpdateExpression: string,
    ExpressionAttributeValues: Record<string, string> | undefined,
    ExpressionAttributeNames?: Record<string, string>,
  ): Write => ({
    item: {
      Update: {
        TableName: tableName,
        Key: { id },
        UpdateExpression,
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeNames,
        ExpressionAttributeValues,
      },
    },
    refusal: () => new ProjectUnknown(`Project ${id} doesn't exist.`),
  });

  const update = (id: string, parameters: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    orUnavailable(documents.send(new UpdateCommand({ TableName: tableName, Key: { id }, ...parameters })));

  const read = (id: string) => findItem(tableName, { id });

  return {
    async find(id) {
      const item = await read(id);
      return item && projectFromItem(item);
    },

    async list() {
      const projects = (await scanAll(tableName)).map(projectFromItem);
      return projects.sort((left, right) => (left.id < right.id ? -1 : 1));
    },

    async recordDeploy({ id, plan, apiId, stage }, at) {
      await update(id, {
        UpdateExpression:
          'SET #plan = if_not_exists(#plan, :plan), createdAt = if_not_exists(createdAt, :at), ' +
          'whileLive = if_not_exists(whileLive, :whileLive), apiId = :apiId, stage = :stage, deployState = :succeeded, deployedAt = :at, succeededAt = :at',
        ExpressionAttributeNames: PLAN_NAME,
        ExpressionAttributeValues: {
          ':plan': plan,
          ':whileLive': DEFAULT_WHILE_LIVE,
          ':apiId': apiId,
          ':stage': stage,
          ':at': at,
          ':succeeded': 'succeeded',
        },
      });
    },

    addition(project) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...projectItem(project), writeToken },
            ConditionExpression: 'attribute_not_exists(id)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present =>
          present?.writeToken === writeToken
            ? undefined
            : new ProjectExists(`Project ${project.id} already exists.`),
      };
    },

    routingChange(project, after, { isPaid = false } = {}) {
      const before = StoredRouting.parse(project);
      const isFirst = isDeepStrictEqual(before, NO_ROUTING);
      const [wereAway, areAway] = [new Set(project.awayDomains), new Set(after.awayDomains)];
      const [gone, back] = [areAway.difference(wereAway), wereAway.difference(areAway)];
      const isUnchanged = isFirst
        ? 'attribute_exists(id) AND (attribute_not_exists(routing) OR routing = :before)'
        : 'routing = :before';
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { id: project.id },
            UpdateExpression: [
              'SET routing = :after',
              ...(gone.size > 0 ? ['ADD awayDomains :gone'] : []),
              ...(back.size > 0 ? ['DELETE awayDomains :back'] : []),
            ].join(' '),
            // Rejects stale writers: the condition compares the whole routing that was read.
            ConditionExpression: isPaid ? `${isUnchanged} AND #plan <> :free` : isUnchanged,
            ...(isPaid && { ExpressionAttributeNames: PLAN_NAME }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            ExpressionAttributeValues: {
              ...(isPaid && { ':free': 'free' }),
              ':before': before,
              ':after': StoredRouting.parse(after),
              ...(gone.size > 0 && { ':gone': gone }),
              ...(back.size > 0 && { ':back': back }),
            },
          },
        },
        refusal: present =>
          isPaid && present?.plan === 'free'
            ? new PlanRequired(project.id)
            : new RoutingChanged(`The domains of ${project.id} were changed in the meantime.`),
      };
    },

    nameChange: (id, name) =>
      name === null
        ? change(id, 'REMOVE #name', undefined, NAME_NAME)
        : change(id, 'SET #name = :name', { ':name': name }, NAME_NAME),

    planChange: (id, plan) => change(id, 'SET #plan = :plan', { ':plan': plan }, PLAN_NAME),

    endpointChange: (id, whileLive) => change(id, 'SET whileLive = :whileLive', { ':whileLive': whileLive }),

    paidPlanCheck: id => ({
      item: {
        ConditionCheck: {
          TableName: tableName,
          Key: { id },
          ConditionExpression: 'attribute_exists(id) AND #plan <> :free',
          ExpressionAttributeNames: PLAN_NAME,
          ExpressionAttributeValues: { ':free': 'free' },
        },
      },
      refusal: () => new PlanRequired(id),
    }),

    deployChange(id, state, at) {
      const succeeded = state === 'succeeded' ? ', succeededAt = :at' : '';
      const update = `SET deployState = :state, deployedAt = :at${succeeded}`;
      return change(id, update, { ':state': state, ':at': at });
    },
  };
}

function projectItem({ id, name, plan, deploy, apiId, stage, createdAt, whileLive }: Project): Item {
  return {
    id,
    name: name ?? undefined,
    plan,
    apiId,
    stage,
    createdAt,
    whileLive,
    deployState: deploy.state,
    deployedAt: deploy.at ?? undefined,
    succeededAt: deploy.succeededAt ?? undefined,
  };
}

function projectFromItem(item: Item): Project {
  const {
    deployState,
    deployedAt = null,
    succeededAt = null,
    routing = NO_ROUTING,
    awayDomains,
    ...fields
  } = item;
  return Project.parse({
    ...fields,
    ...(awayDomains !== undefined && { awayDomains: [...Entries.parse(awayDomains)].sort() }),
    deploy: { state: deployState, at: deployedAt, succeededAt },
    ...StoredRouting.parse(routing),
  });
}

const Entries = z.set(z.string());

/** A change compares the whole attribute `routing`, so what domain checks write is a separate set. */
const StoredRouting = z.omit(Routing, { awayDomains: true });

/** What a project lacks for custom domains: the reason for programs, the message for people. */
interface UnmetRequirement {
  readonly reason: 'plan_required' | 'deploy_required';
  readonly message: string;
}

/** Custom domains need a paid plan and a successful deploy. */
export function unmetRequirement(
  project: Pick<Project, 'id' | 'plan' | 'deploy'>,
): UnmetRequirement | undefined {
  if (project.plan !== 'free') return deployRequired(project);
  return { reason: 'plan_required', message: new PlanRequired(project.id).message };
}

/** What a project needs to be served at all: a successful deploy. A later failed one doesn't matter. */
export function deployRequired({ id, deploy }: Pick<Project, 'id' | 'deploy'>): UnmetRequirement | undefined {
  if (deploy.succeededAt !== null) return undefined;
  return {
    reason: 'deploy_required',
    message: `Project ${id} has no successful deploy yet. Deploy it first.`,
  };
}
