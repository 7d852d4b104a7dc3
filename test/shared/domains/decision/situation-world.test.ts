import { expect, test } from 'vitest';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged, DomainTaken } from '../../../../shared/domains/life/domain-store.ts';
import { RoutingChanged } from '../../../../shared/projects/project-store.ts';
import { withLive } from '../../../../shared/projects/routing.ts';
import { NAME } from '../claimed-domain.ts';
import { type Situation, situationOf, situationSeeds } from './situation.ts';
import { RIVAL } from './situation-claims.ts';
import { worldOf } from './situation-world.ts';

/** The first situation of which this is true. */
function situationWith(isMeant: (situation: Situation) => boolean): Situation {
  const found = situationSeeds().values().map(situationOf).find(isMeant);
  if (!found) throw new Error('There is no such situation.');
  return found;
}

test('a transaction is refused as a whole by one stale write, or one for a name of others', async () => {
  const situation = situationWith(({ owner, projects }) => owner === RIVAL.project && projects.length === 2);
  const { parts, outcome } = worldOf(situation);
  const before = await outcome();
  const { claim } = situation;
  const next = nextRevision({ ...claim, message: 'Changed.' });
  const project = await parts.projects.find('zoo');
  if (!project) throw new Error('The project is gone.');
  const stale = { ...project, liveDomains: ['elsewhere.example'] };
  await parts.domains.holding(NAME, async holder => {
    const live = (read = project) => parts.projects.routingChange(read, withLive(project, NAME));
    const commits = [
      [DomainChanged, [live(), ...parts.domains.change(nextRevision(next))]],
      [RoutingChanged, [...parts.domains.change(next), live(stale)]],
      [DomainTaken, [live(), ...parts.domains.proof(next)]],
    ] as const;
    for (const [error, writes] of commits) await expect(holder.commit(writes)).rejects.toThrow(error);
    expect(await outcome()).toEqual(before);
    await holder.commit([...parts.domains.change(next), live()]);
    expect(
      await parts.domains.holding(
        NAME,
        async () => 'mine',
        0,
        () => 'busy',
      ),
    ).toBe('busy');
  });
  expect(await parts.domains.find(NAME, 'zoo')).toMatchObject({ message: 'Changed.' });
  expect(await parts.projects.find('zoo')).toMatchObject({ liveDomains: expect.arrayContaining([NAME]) });
});
