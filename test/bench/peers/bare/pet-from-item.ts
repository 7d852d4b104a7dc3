import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** TypeScript's own declarations lag behind. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string | undefined): unknown };

/** An animal ready for JSON.stringify; the digits of its integers go through as they are. */
export function petFromItem({ id, name, categoryId, status }: Record<string, AttributeValue>) {
  return { id: rawJSON(id?.N), name: name?.S, categoryId: rawJSON(categoryId?.N), status: status?.S };
}
