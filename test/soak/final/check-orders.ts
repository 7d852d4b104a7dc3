import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../clients/api-client.ts';
import { exactly, nextPage } from '../clients/pets.ts';
import type { SoakContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import { checkAnswer } from '../ledger/answer-check.ts';
import type { SeenOrder } from '../ledger/order-ledger.ts';
import type { Stage } from '../service-process.ts';
import { tableItems } from './table-items.ts';

/** Compares all orders, as listOrders and the table have them, with those that were acknowledged. */
export async function checkOrders(
  context: SoakContext,
  stage: Stage,
  apiKey: () => string,
  engine: Engine,
): Promise<void> {
  const orders = context.orders[stage];
  orders.checkAll(await listedOrders(context, stage, apiKey), `listOrders of ${stage}`);
  const stored = (await tableItems(engine, stage, 'OrdersTable')).map(({ id, petId, status }) => ({
    id: id?.N ?? '',
    petId: petId?.N ?? '',
    status: status?.S ?? '',
  }));
  orders.checkAll(stored, `the orders table of ${stage}`);
}

async function listedOrders(context: SoakContext, stage: Stage, apiKey: () => string): Promise<SeenOrder[]> {
  const api = new ApiClient(context);
  const orders: SeenOrder[] = [];
  let url: string | undefined = `${context.service.url(stage)}/store/orders?limit=100`;
  while (url !== undefined) {
    const headers = { Authorization: `Bearer ${apiKey()}` };
    const answer: Awaited<ReturnType<ApiClient['send']>> = await api.send({ method: 'GET', url, headers });
    if (!answer || !checkAnswer(`GET ${url}`, answer, [200], context.violations.add)) {
      if (context.violations.total > 0) break;
      await delay(100);
      continue;
    }
    orders.push(...exactly(answer.text));
    url = nextPage(answer.headers);
  }
  api.close();
  return orders;
}
