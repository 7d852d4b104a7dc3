import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveSts } from '../../../infra/local/testing/served-sts.ts';
import { callerIdentification, proveCaller } from '../../../shared/operator/caller-proof.ts';
import { testServer } from '../aws/silent-server.ts';

const ARN = 'arn:aws:sts::000000000000:assumed-role/Operators/jane';
const JANE = { accessKeyId: 'ASIAJANE', secretAccessKey: 'secret', sessionToken: 'to+ken/==' };
const PLACE = { region: 'us-east-1', urlSuffix: 'amazonaws.com', environment: 'staging' };
const PAYLOAD = { command: 'keys.create', requestId: 'r', by: 'jane', name: 'Zoë “*”' };

const logged = vi.fn((_line: string | Uint8Array) => true);
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(logged);
});
afterEach(() => {
  vi.restoreAllMocks();
  // The proof of somebody is nobody's business.
  expect(logged.mock.calls.join()).not.toMatch(/to\+ken|ASIAJANE|[0-9a-f]{64}/);
  logged.mockClear();
});

/** Whom a proof of Jane's identifies, at the STS of the local AWS. */
async function identified({
  proof = proveCaller(JANE, PAYLOAD, PLACE),
  payload = PAYLOAD as object,
  place = PLACE,
}) {
  const { endpoint } = await serveSts({ ...JANE, arn: ARN });
  return callerIdentification({ ...place, endpoint })(proof, payload);
}

test('a payload with a proof is that of whoever signed it, also after its way through JSON', async () => {
  expect(await identified({})).toBe(ARN);
  expect(await identified({ payload: JSON.parse(JSON.stringify(PAYLOAD)) })).toBe(ARN);
});

test.each<[what: string, given: Parameters<typeof identified>[0]]>([
  ['another input', { payload: { ...PAYLOAD, name: 'Zoo' } }],
  ['another requestId', { payload: { ...PAYLOAD, requestId: 's' } }],
  ['another name', { payload: { ...PAYLOAD, by: 'joe' } }],
  ['another environment', { place: { ...PLACE, environment: 'production' } }],
  ['another region', { place: { ...PLACE, region: 'eu-central-1' } }],
  ['a guessed secret', { proof: proveCaller({ ...JANE, secretAccessKey: 'x' }, PAYLOAD, PLACE) }],
  [
    'credentials that are unknown',
    { proof: proveCaller({ ...JANE, accessKeyId: 'ASIAJOE' }, PAYLOAD, PLACE) },
  ],
  ['a time that is over', { proof: proveCaller(JANE, PAYLOAD, PLACE, Date.now() - 360_000) }],
  ['a time to come', { proof: proveCaller(JANE, PAYLOAD, PLACE, Date.now() + 360_000) }],
  ['an invalid time', { proof: { ...proveCaller(JANE, PAYLOAD, PLACE), date: '20269999T999999Z' } }],
])('a proof for %s proves nothing', async (_, given) => {
  expect(await identified(given)).toBeUndefined();
  expect(logged.mock.calls.join()).toContain('STS did not confirm who sent a payload.');
});

/** Whom a server in the place of STS confirms as the sender of Jane's payload. */
async function confirmedBy(respond: RequestListener) {
  const { endpoint } = await testServer(respond);
  return callerIdentification({ ...PLACE, endpoint })(proveCaller(JANE, PAYLOAD, PLACE), PAYLOAD);
}

test('it is asked once, and only STS of the region', async () => {
  const requests: string[] = [];
  const confirmed = await confirmedBy(({ method, headers, url }, response) => {
    requests.push(`${method} ${headers.host} ${url?.split('&X-Amz-Algorithm')[0]}`);
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(`<Arn>${ARN}</Arn>`);
  });
  expect(confirmed).toBeUndefined();
  expect(requests).toEqual(['GET sts.us-east-1.amazonaws.com /?Action=GetCallerIdentity&Version=2011-06-15']);
});

test.each([-360, 360])(
  'a proof of %i seconds from now is not sent to STS, which may accept it',
  async seconds => {
    const { endpoint } = await testServer((_, response) => void response.end(`<Arn>${ARN}</Arn>`));
    const confirm = callerIdentification({ ...PLACE, endpoint });
    const proofAt = (atMs: number) => proveCaller(JANE, PAYLOAD, PLACE, atMs);
    expect(await confirm(proofAt(Date.now()), PAYLOAD)).toBe(ARN);
    expect(await confirm(proofAt(Date.now() + seconds * 1000), PAYLOAD)).toBeUndefined();
  },
);

test.each<[what: string, respond: RequestListener]>([
  ['fails', (_, response) => void response.writeHead(503).end(`<Arn>${ARN}</Arn>`)],
  ['hangs up', (_, response) => void response.destroy()],
  ['sends something else', (_, response) => void response.end('<Arn>jane</Arn>')],
  ['sends too much', (_, response) => void response.end(`${'x'.repeat(20_000)}<Arn>${ARN}</Arn>`)],
])('nobody is confirmed by an STS that %s', async (_, respond) => {
  expect(await confirmedBy(respond)).toBeUndefined();
});

test('an STS that is silent is waited for no longer than three seconds', async () => {
  const over = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const confirmed = confirmedBy(() => ask());
  await asked;
  expect(limit.mock.calls).toEqual([[3000]]);
  over.abort();
  expect(await confirmed).toBeUndefined();
});
