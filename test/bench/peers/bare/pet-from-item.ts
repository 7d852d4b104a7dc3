import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** TypeScript does not declare JSON.rawJSON yet. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string | undefined): unknown };

/** An animal for JSON.stringify, which writes the digits of its integers unchanged. */
export function petFromItem({ id, name, categoryId, status }: Record<string, AttributeValue>) {
  return { id: rawJSON(id?.N), name: name?.S, categoryId: rawJSON(categoryId?.N), status: status?.S };
}
