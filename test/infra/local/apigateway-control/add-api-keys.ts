/** Adds API keys to a file until it is killed, and tells its parent each that was added: `node add-api-keys.ts <file>`. */
import { ApiKeys } from '../../../../infra/local/apigateway-control/api-keys.ts';

const apiKeys = new ApiKeys(process.argv[2]);

function addOne(): void {
  const value = crypto.randomUUID();
  const { id } = apiKeys.add({ value, enabled: true, createdDate: 0, lastUpdatedDate: 0 });
  apiKeys.addToPlan(id, 'plan1');
  process.send?.(value);
  setImmediate(addOne);
}
addOne();
