import { randomUUID } from 'node:crypto';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { scanAll } from '../aws/scan-all.ts';
import type { Item, Write } from '../aws/transaction.ts';
import { type DeployState, type Plan, Project } from './project.ts';

/** Where a project is published, and the plan that it has unless it was given another. */
export type Publication = Pick<Project, 'id' | 'plan' | 'apiId' | 'stage'>;

/** A project as the table has it: with the redirects of its domains. */
export interface RoutedProject extends Project {
  readonly redirects: readonly { readonly from: string; readonly to: string; readonly status: number }[];
}

/** The projects, in the table whose layout is in project-table.ts. */
export interface ProjectStore {
  find(id: string): Promise<RoutedProject | undefined>;
  /** All of them, by name. */
  list(): Promise<Project[]>;
  /** Notes a successful deploy, of a project that may not have been known before. */
  publish(publication: Publication, at: string): Promise<void>;
  /** Makes a domain the primary one of a project that has none. */
  ensurePrimary(id: string, domain: string): Promise<void>;
  /** The write that makes another domain the primary one, or none; refused with ProjectUnknown. */
  primaryChange(id: string, domain: string | null): Write;
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

    async publish({ id, plan, apiId, stage }, at) {
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

    async ensurePrimary(id, domain) {
      await orUnavailable(
        dynamoDb.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { id: { S: id } },
            UpdateExpression: 'SET primaryDomain = if_not_exists(primaryDomain, :domain)',
            ConditionExpression: 'attribute_exists(id)',
            ExpressionAttributeValues: texts({ domain }),
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
    primaryChange: (id, domain) =>
      domain === null
        ? change(id, 'REMOVE primaryDomain')
        : change(id, 'SET primaryDomain = :domain', { domain }),
    planChange: (id, plan) => change(id, 'SET #plan = :plan', { plan }, PLAN_NAME),
    deployNote: (id, state, at) => change(id, 'SET deployState = :state, deployedAt = :at', { state, at }),
  };
}

/** Values of an expression: `{ at: '…' }` is `:at`. */
function texts(values: Record<string, string>): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, { S: value }]));
}

function projectItem({ id, plan, deploy, apiId, stage, createdAt, primary }: Project): Item {
  return {
    id: { S: id },
    plan: { S: plan },
    apiId: { S: apiId },
    stage: { S: stage },
    createdAt: { S: createdAt },
    deployState: { S: deploy.state },
    ...(deploy.at !== null && { deployedAt: { S: deploy.at } }),
    ...(primary !== null && { primaryDomain: { S: primary } }),
  };
}

function projectFromItem(item: Item): RoutedProject {
  const { id, plan, apiId, stage, createdAt, deployState, deployedAt, primaryDomain, routing } = item;
  const project = Project.parse({
    id: id?.S,
    plan: plan?.S,
    deploy: { state: deployState?.S, at: deployedAt?.S ?? null },
    apiId: apiId?.S,
    stage: stage?.S,
    createdAt: createdAt?.S,
    primary: primaryDomain?.S ?? null,
  });
  return { ...project, redirects: routing?.S === undefined ? [] : JSON.parse(routing.S).redirects };
}
