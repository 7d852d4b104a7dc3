import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { nameOf, noEffect, type ResourceType } from '../cloudformation/resource-type.ts';

const KeySchema = z
  .array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .min(1);

const Projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']).default('ALL'),
  NonKeyAttributes: z.array(z.string()).optional(),
});

/** Capacity, limits, backups, encryption and observation: DynamoDB Local has none of them. */
const indexWithoutEffect = {
  ContributorInsightsSpecification: noEffect,
  OnDemandThroughput: noEffect,
  ProvisionedThroughput: noEffect,
  WarmThroughput: noEffect,
};
const tableWithoutEffect = {
  ...indexWithoutEffect,
  DeletionProtectionEnabled: noEffect,
  PointInTimeRecoverySpecification: noEffect,
  SSESpecification: noEffect,
  TableClass: noEffect,
  Tags: noEffect,
};

/** AWS::DynamoDB::Table. */
export const Table = z.strictObject({
  ...tableWithoutEffect,
  TableName: z.string().optional(),
  BillingMode: z.enum(['PAY_PER_REQUEST', 'PROVISIONED']).optional(),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema,
  GlobalSecondaryIndexes: z
    .array(z.strictObject({ ...indexWithoutEffect, IndexName: z.string(), KeySchema, Projection }))
    .default([]),
  LocalSecondaryIndexes: z
    .array(z.strictObject({ IndexName: z.string(), KeySchema, Projection }))
    .default([]),
  TimeToLiveSpecification: z
    .strictObject({ AttributeName: z.string().optional(), Enabled: z.boolean() })
    .optional(),
});
export type Table = z.output<typeof Table>;

const arn = regionalArn.bind(undefined, 'dynamodb');

export const tableType: ResourceType = {
  properties: Table,
  ref: declaration => nameOf(declaration, 'TableName'),
  attributes: { Arn: declaration => arn(`table/${nameOf(declaration, 'TableName')}`) },
};
