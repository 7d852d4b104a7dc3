import { expect, test } from 'vitest';
import { ThirdParty } from '../people/people.ts';
import { HOUR_MS, MINUTE_MS } from '../virtual-time.ts';
import { calmRun, WWW } from './calm-run.ts';

const APEX = 'zoo.com';

test('staging cannot take over an apex of production, although both have their TXT record', async () => {
  const run = calmRun();
  const { world, people } = run;
  await run.claim({ domain: APEX, environment: 'staging' });
  await run.claim({ domain: APEX, environment: 'production' });
  people.setRecords(APEX, { environment: 'production', isBeside: true });
  await run.ask('verify', { domain: APEX, environment: 'production' });
  await run.untilIdle();
  expect(world.production.domain(APEX)?.status).toBe('live');
  people.setRecords(APEX, { environment: 'staging', isBeside: true, without: 'ALIAS' });
  await run.ask('verify', { domain: APEX });
  await run.pass(HOUR_MS);
  expect(world.staging.domain(APEX)).toMatchObject({ status: 'issuing', reason: 'domain_name_foreign' });
  await run.ask('remove', { domain: APEX });
  await run.untilIdle();
  expect(world.gateway.names.get(APEX)?.mapping?.apiId).toBe('production-alpha');
  expect(await run.ask('add', { domain: APEX })).toMatchObject({ error: { reason: 'domain_name_foreign' } });
  await run.removeEverything();
});

test("another team's name is refused at add, and stays as it is when it appears later", async () => {
  const run = calmRun();
  const thirdParty = new ThirdParty(run.world);
  thirdParty.occupy(APEX);
  expect(await run.ask('add', { domain: APEX })).toMatchObject({ error: { reason: 'domain_name_foreign' } });
  await run.claim();
  thirdParty.occupy(WWW);
  await run.ask('verify');
  await run.pass(HOUR_MS);
  expect(run.domain()).toMatchObject({ reason: 'domain_name_foreign' });
  thirdParty.leave(WWW);
  await run.endsAs('live');
  expect(run.world.gateway.names.get(APEX)?.mapping?.apiId).toBe('foreign-api');
});

test('a squatter does not keep the owner from a name, and its claim ends after seven days with all that was made for it', async () => {
  const run = calmRun();
  await run.ask('add', { project: 'gamma' });
  await run.ask('verify', { project: 'gamma' });
  await run.goLive();
  await run.untilIdle();
  expect(run.world.staging.domain(WWW, 'gamma')).toMatchObject({ status: 'failed', reason: 'domain_taken' });
  for (let hour = 0; hour < 8 * 24; hour += 1) await run.pass(HOUR_MS);
  expect(run.world.staging.domain(WWW, 'gamma')).toBeUndefined();
  expect(run.world.acm.certificates.size).toBe(1);
  expect(run.status()).toBe('live');
  await run.removeEverything();
});

test('a project with domains cannot leave the paid plan', async () => {
  const run = calmRun();
  await run.ask('add');
  const refused = await run.until(run.people.setPlan('alpha', 'free', 'staging'));
  expect(refused).toMatchObject({ error: { reason: 'project_has_domains' } });
  await run.ask('remove');
  await run.untilIdle();
  expect(await run.until(run.people.setPlan('alpha', 'free', 'staging'))).toMatchObject({ ok: true });
  expect(await run.ask('add')).toMatchObject({ error: { reason: 'plan_required' } });
});

test('the calls of a remove do not grow with the number of live domains of the project', async () => {
  const callsOfRemove = async (siblings: readonly string[]) => {
    const run = calmRun();
    await run.goLive();
    for (const domain of siblings) await run.goLive({ domain });
    let calls = 0;
    const { weather } = run.world;
    run.world.weather = {
      ...weather,
      fateOf(call) {
        if (call.actor.name.startsWith('Operate domains.remove')) calls += 1;
        return weather.fateOf(call);
      },
    };
    await run.ask('remove');
    await run.pass(MINUTE_MS);
    return calls;
  };
  const siblings = ['zoo.com', 'dev.zoo.com', 'shop.dev.zoo.com', 'managed-zoo.com', 'www.managed-zoo.com'];
  expect(await callsOfRemove(siblings)).toBe(await callsOfRemove(siblings.slice(0, 1)));
});
