import { describe, expect, test } from 'vitest';
import { gatewaySlots, SLOT_MS } from '../../../../shared/domains/aws/gateway-slots.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { type Fault, faultyEngine } from '../../aws/faulty-engine.ts';
import { AT_MS } from '../claimed-domain.ts';

/** API Gateway allows one change in 30 s. */
const AWS_MS = 30_000;

const table = await tableLike('DomainsTable');
const shared = gatewaySlots(table);

test('book gives concurrent callers slots that are far enough apart, the first of them now', async () => {
  const taken = await Promise.all(Array.from({ length: 12 }, () => gatewaySlots(table).book(AT_MS)));
  const apart = taken.toSorted((one, other) => one - other);
  expect(apart).toEqual(apart.map((_, place) => AT_MS + place * SLOT_MS));
  expect(SLOT_MS).toBeGreaterThan(AWS_MS);
});

test('book gives the slot after the last one that is booked, and now if that has passed', async () => {
  const soonMs = AT_MS + 11 * SLOT_MS + 1000;
  expect(await shared.book(soonMs)).toBe(AT_MS + 12 * SLOT_MS);
  const laterMs = AT_MS + 60 * 60 * 1000;
  expect(await shared.book(laterMs)).toBe(laterMs);
  expect(await shared.book(laterMs + 1)).toBe(laterMs + SLOT_MS);
  const freeMs = laterMs + 2 * SLOT_MS;
  expect(await shared.book(freeMs)).toBe(freeMs);
});

describe('a fault of DynamoDB', () => {
  const REJECTED = { status: 400, type: 'ValidationException' };
  const TAKEN = { status: 400, type: 'ConditionalCheckFailedException' };

  async function slotsBehind(...faults: Fault[]) {
    const engine = await faultyEngine(faults);
    const module = await engine.under(() => import('../../../../shared/domains/aws/gateway-slots.ts'));
    return { engine, ...module.gatewaySlots(await tableLike('DomainsTable')) };
  }

  test.each([
    ['first', [REJECTED]],
    ['second', [undefined, REJECTED]],
  ])('at the %s attempt to book is reported', async (_, faults) => {
    const { book } = await slotsBehind(...faults);
    await expect(book(AT_MS)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('is none when another caller books in between: book tries again', async () => {
    const { engine, book } = await slotsBehind(undefined, TAKEN);
    expect(await book(AT_MS)).toBe(AT_MS);
    expect(engine.requests).toHaveLength(4);
  });
});
