import { randomUUID } from 'node:crypto';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { scanAll } from '../aws/scan-all.ts';
import type { Item, Write } from '../aws/transaction.ts';
import { type DeployState, type Plan, Project } from './project.ts';
import { NO_ROUTING, Routing } from './routing.ts';

/** Where a project is published, and the plan that it has unless it was given another. */
export type ProjectDeploy = Pick<Project, 'id' | 'plan' | 'apiId' | 'stage'>;

/** The projects, in the table whose layout is in project-table.ts. */
export interface ProjectStore {
  find(id: string): Promise<Project | undefined>;
  /** All of them, by name. */
  list(): Promise<Project[]>;
  /** Notes a successful deploy, of a project that may not have been known before. */
  recordDeploy(projectDeploy: ProjectDeploy, at: string): Promise<void>;
  /** The write that changes the routing of a project as it was read; refused with RoutingChanged. */
  routingChange(project: Project, after: Routing): Write;
  /** The write that adds a project; refused with ProjectExists. */
  addition(project: Project): Write;
  /** The write that gives a project another plan; refused with ProjectUnknown. */
  planChange(id: string, plan: Plan): Write;
  /** The write that notes a deploy; refused with ProjectUnknown. */
  deployNote(id: string, state: DeployState, at: string): Write;
}

export class ProjectExists extends Error {
  override readonly name = 'ProjectExists';
}

export class ProjectUnknown extends Error {
  override readonly name = 'ProjectUnknown';
}

/** Someone else has changed the routing since it was read: read it again. */
export class RoutingChanged extends Error {
  override readonly name = 'RoutingChanged';
}

/** `plan` is a reserved word. */
const PLAN_NAME = { '#plan': 'plan' };

export function projectStore(tableName: string): ProjectStore {
  const change = (
    id: string,
    UpdateExpression: string,
    values?: Record<string, string>,
    ExpressionAttributeNames?: Record<string, string>,
  ): Write => ({
    item: {
      Update: {
        TableName: tableName,
        Key: { id: { S: id } },
        UpdateExpression,
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeNames,
        ExpressionAttributeValues: values && texts(values),
      },
    },
    refusal: () => new ProjectUnknown(`There is no project ${id}.`),
  });

  return {
    async find(id) {
      const { Item } = await orUnavailable(
        dynamoDb.send(
          new GetItemCommand({ TableName: tableName, Key: { id: { S: id } }, ConsistentRead: true }),
        ),
      );
      return Item && projectFromItem(Item);
    },

    async list() {
      const projects = (await scanAll(tableName)).map(projectFromItem);
      return projects.sort((left, right) => (left.id < right.id ? -1 : 1));
    },

    async recordDeploy({ id, plan, apiId, stage }, at) {
      await orUnavailable(
        dynamoDb.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { id: { S: id } },
            UpdateExpression:
              'SET #plan = if_not_exists(#plan, :plan), createdAt = if_not_exists(createdAt, :at), ' +
              'apiId = :apiId, stage = :stage, deployState = :succeeded, deployedAt = :at',
            ExpressionAttributeNames: PLAN_NAME,
            ExpressionAttributeValues: texts({ plan, apiId, stage, at, succeeded: 'succeeded' }),
          }),
        ),
      );
    },

    addition(project) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...projectItem(project), writeToken: { S: writeToken } },
            ConditionExpression: 'attribute_not_exists(id)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present =>
          present?.writeToken?.S === writeToken
            ? undefined
            : new ProjectExists(`There is a project ${project.id} already.`),
      };
    },
    routingChange(project, after) {
      const isFirst = routingText(project) === routingText(NO_ROUTING);
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { id: { S: project.id } },
            UpdateExpression: 'SET routing = :after',
            ConditionExpression: isFirst
              ? 'attribute_exists(id) AND (attribute_not_exists(routing) OR routing = :before)'
              : 'routing = :before',
            ExpressionAttributeValues: texts({ before: routingText(project), after: routingText(after) }),
          },
        },
        refusal: () => new RoutingChanged(`The domains of ${project.id} were changed in the meantime.`),
      };
    },
    planChange: (id, plan) => change(id, 'SET #plan = :plan', { plan }, PLAN_NAME),
    deployNote: (id, state, at) => change(id, 'SET deployState = :state, deployedAt = :at', { state, at }),
  };
}

/** Values of an expression: `{ at: '…' }` is `:at`. */
function texts(values: Record<string, string>): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, { S: value }]));
}

function projectItem({ id, plan, deploy, apiId, stage, createdAt }: Project): Item {
  return {
    id: { S: id },
    plan: { S: plan },
    apiId: { S: apiId },
    stage: { S: stage },
    createdAt: { S: createdAt },
    deployState: { S: deploy.state },
    ...(deploy.at !== null && { deployedAt: { S: deploy.at } }),
  };
}

function projectFromItem(item: Item): Project {
  const { id, plan, apiId, stage, createdAt, deployState, deployedAt, routing } = item;
  return Project.parse({
    id: id?.S,
    plan: plan?.S,
    deploy: { state: deployState?.S, at: deployedAt?.S ?? null },
    apiId: apiId?.S,
    stage: stage?.S,
    createdAt: createdAt?.S,
    ...(routing?.S === undefined ? NO_ROUTING : JSON.parse(routing.S)),
  });
}

/** The same text for the same routing, so that a condition can compare it. */
function routingText(routing: Routing): string {
  return JSON.stringify(Routing.parse(routing));
}
