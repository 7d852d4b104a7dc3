import { test } from 'vitest';
import { askEveryDay, calmRun, WWW } from './calm-run.ts';

test('a domain whose owner asks for a look goes live, although no operator has it verified', async () => {
  const run = calmRun();
  await run.claim();
  await run.until(run.people.askForLook({ project: 'alpha', domain: WWW }));
  await run.endsAs('live');
});

test('a claim that nobody proves ends after 30 days, although its owner asks for a look each day', async () => {
  const run = calmRun();
  await run.ask('add');
  await askEveryDay(run);
  await run.endsAs(undefined);
});
