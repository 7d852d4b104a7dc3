import type { Permission } from '../aws-api/operation.ts';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';

interface TableRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}

/** Each part of a transaction is authorized as the operation that it corresponds to. */
const ACTION_BY_TRANSACT_ITEM: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/**
 * The permissions that a DynamoDB request needs. An operation without a table needs one for all resources, and a request
 * that cannot be read none: the engine rejects it.
 */
export function requiredPermissions(operation: string, body: string): Permission[] {
  try {
    return permissionsFor(operation, JSON.parse(body || '{}'));
  } catch {
    return [];
  }
}

function permissionsFor(operation: string, request: TableRequest): Permission[] {
  const { TableName, IndexName, RequestItems, TransactItems } = request;
  if (TransactItems !== undefined) {
    return TransactItems.flatMap(item =>
      Object.entries(item).map(([kind, { TableName: table }]) =>
        permission(ACTION_BY_TRANSACT_ITEM[kind] ?? kind, tableArn(table ?? '')),
      ),
    );
  }
  if (RequestItems !== undefined) {
    return Object.keys(RequestItems).map(table => permission(operation, tableArn(table)));
  }
  if (TableName === undefined) {
    return [permission(operation, '*')];
  }
  const table = tableArn(TableName);
  return [permission(operation, IndexName === undefined ? table : `${table}/index/${IndexName}`)];
}

function permission(operation: string, resource: string): Permission {
  return { action: `dynamodb:${operation}`, resource };
}

/** The ARN of a table, which a request names by name or ARN. */
function tableArn(table: string): string {
  return table.startsWith('arn:') ? table : regionalArn('dynamodb', `table/${table}`);
}
