import { setTimeout as pause } from 'node:timers/promises';
import type { ApiKey } from '@aws-sdk/client-api-gateway';
import { ENVIRONMENT_TAG, KEY_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { type Finding, failed, ok } from '../check.ts';
import { connectSmoke } from '../http/connect.ts';
import type { Send } from '../http/smoke-client.ts';
import { forgetKeys, unrevokedText, withTemporaryKeys } from '../http/temporary-keys.ts';
import { KEY_SPREAD_MS, REVOCATION_MS } from '../smoke-command.ts';
import { type Acceptance, durationText } from './report.ts';

/** How often keys are measured: API Gateway spreads each on its own. */
const SAMPLES = 3;

/** A key works, or is refused, once so many responses in a row say so: API Gateway has many hosts. */
const RESPONSES_IN_A_ROW = 10;

/** Longer than petstore smoke waits, so that a time that is too long is measured, too. */
const LONGEST_SPREAD_MS = 5 * 60_000;

interface Spread {
  /** When the wanted response came first, and from when on it always came; undefined if it never did. */
  readonly firstMs: number | undefined;
  readonly steadyMs: number | undefined;
}

export async function measureKeys({ session }: Acceptance): Promise<Finding> {
  const send = (await connectSmoke(session)).clientOf('');
  const intervalMs = session.target.isLocal ? 20 : 500;
  const facts: string[] = [];
  const spreads: Spread[] = [];
  const revocations: Spread[] = [];
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    session.progress(`Key ${sample} of ${SAMPLES}: waiting until it works, then until it is refused …`);
    const { result, keys, unrevoked } = await withTemporaryKeys(session, created =>
      // The key that was created last: the time begins with its creation.
      untilSteady(send, created.with('orders:read'), 200, intervalMs),
    );
    const [left] = unrevoked;
    if (left !== undefined) return failed(unrevokedText(session, left), facts);
    const revoked = await untilSteady(send, keys.with('orders:read'), 401, intervalMs);
    spreads.push(result);
    revocations.push(revoked);
    facts.push(`key ${sample}: worked ${spreadText(result)}; once revoked, refused ${spreadText(revoked)}`);
  }
  await forgetKeys(session);
  const longest = (measured: readonly Spread[]) =>
    Math.max(...measured.map(({ steadyMs = Number.POSITIVE_INFINITY }) => steadyMs));
  const isInTime = longest(spreads) <= KEY_SPREAD_MS && longest(revocations) <= REVOCATION_MS;
  const times = `a new key works within ${timeText(longest(spreads))}, a revoked one is refused within ${timeText(longest(revocations))}`;
  return isInTime
    ? ok(times, facts)
    : failed(`${times}; petstore smoke waits ${KEY_SPREAD_MS / 1000} s and ${REVOCATION_MS / 1000} s`, facts);
}

async function untilSteady(send: Send, key: string, wanted: number, intervalMs: number): Promise<Spread> {
  const startMs = Date.now();
  let firstMs: number | undefined;
  let steadyMs: number | undefined;
  for (let inARow = 0; inARow < RESPONSES_IN_A_ROW; ) {
    const { status } = await send('GET /store/orders?limit=1', { key });
    const elapsedMs = Date.now() - startMs;
    if (status === wanted) {
      firstMs ??= elapsedMs;
      steadyMs ??= elapsedMs;
      inARow += 1;
    } else {
      steadyMs = undefined;
      inARow = 0;
    }
    if (elapsedMs > LONGEST_SPREAD_MS) break;
    await pause(intervalMs);
  }
  return { firstMs, steadyMs };
}

function spreadText({ firstMs, steadyMs }: Spread): string {
  if (firstMs === undefined) return `never within ${durationText(LONGEST_SPREAD_MS)}`;
  const always = steadyMs === undefined ? `not always within ${durationText(LONGEST_SPREAD_MS)}` : undefined;
  return steadyMs === firstMs
    ? `after ${durationText(firstMs)}`
    : `first after ${durationText(firstMs)}, ${always ?? `always after ${durationText(steadyMs ?? 0)}`}`;
}

const timeText = (ms: number) =>
  durationText(Math.min(ms, LONGEST_SPREAD_MS)) + (ms > LONGEST_SPREAD_MS ? ' at the least' : '');

/** The reconcile of keys takes a key for the environment's if the list says so. */
export async function readKeyTags({ session }: Acceptance): Promise<Finding> {
  const { APIGatewayClient, GetApiKeyCommand, paginateGetApiKeys } = await import(
    '@aws-sdk/client-api-gateway'
  );
  const client = new APIGatewayClient(session.target.aws);
  const isOwn = (key: ApiKey | undefined, keyId: string) =>
    key?.tags?.[ENVIRONMENT_TAG] === session.target.stage && key.tags[KEY_TAG] === keyId;
  const { result } = await withTemporaryKeys(session, async () => {
    const { keys } = await session.read('keys.list');
    const [newest] = keys.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    const keyId = newest?.id ?? '';
    const inList = async (nameQuery?: string) => {
      const pages = paginateGetApiKeys({ client, pageSize: 500 }, nameQuery ? { nameQuery } : {});
      for await (const { items = [] } of pages) {
        const found = items.find(({ name }) => name === keyId);
        if (found) return found;
      }
      return undefined;
    };
    const listed = await inList();
    const queried = await inList(keyId);
    const hasTags = isOwn(listed, keyId) && isOwn(queried, keyId);
    // Whether it has no tags, or only the list doesn't say so.
    const single =
      listed?.id && !hasTags ? await client.send(new GetApiKeyCommand({ apiKey: listed.id })) : undefined;
    return { keyId, listed, queried, single, hasTags };
  });
  await forgetKeys(session);
  const { keyId, listed, queried, single, hasTags } = result;
  const facts = [
    `GetApiKeys: ${tagsText(listed)}`,
    `GetApiKeys with nameQuery: ${tagsText(queried)}`,
    ...(single ? [`GetApiKey: ${tagsText(single)}`] : []),
  ];
  if (hasTags) return ok('listed keys have their tags', facts);
  const message =
    listed === undefined
      ? `API Gateway doesn't list the new key ${keyId}`
      : "listed keys lack their tags: keys reconcile can't recognize its own";
  return failed(message, facts);
}

function tagsText(key: ApiKey | undefined): string {
  return key === undefined ? 'not found' : `tags ${JSON.stringify(key.tags ?? null)}`;
}
