import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../simulation/random.ts';
import type { SoakContext } from '../context.ts';
import { checkAnswer } from '../ledger/answer-check.ts';
import { checkWalk, type WalkedPage } from '../ledger/walk-check.ts';
import type { Stage } from '../service-process.ts';
import { ApiClient } from './api-client.ts';
import { nextPage, readPets } from './pets.ts';

const STATUSES = [undefined, 'available', 'pending', 'sold'];

/** A walk with a small limit would take the whole run, so it ends early; it is checked up to where it ended. */
const MOST_PAGES = 60;

/** Walks through the list, and gets single animals, until the run is over. */
export async function readAllPets(
  context: SoakContext,
  stage: Stage,
  apiKey: () => string,
  random: Random,
): Promise<void> {
  const reader = petReader(context, stage, apiKey);
  while (!context.isOver()) {
    if (random.chance(0.3)) {
      const limit = random.chance(0.5) ? 100 : random.between(1, 100);
      await reader.walk({ limit, status: random.pick(STATUSES), mostPages: MOST_PAGES });
    } else {
      await reader.get(random);
    }
  }
  reader.close();
}

/** Reads the animals of an environment, and checks what it gets against the ledger. */
export function petReader(context: SoakContext, stage: Stage, apiKey: () => string) {
  const { service, pets, tally } = context;
  const ledger = pets[stage];
  const report = context.violations.add;
  const api = new ApiClient(context);

  const get = async (url: string, expected: readonly number[]) => {
    const answer = await api.send({ method: 'GET', url, headers: { Authorization: `Bearer ${apiKey()}` } });
    return answer && checkAnswer(`GET ${url}`, answer, expected, report) ? answer : undefined;
  };

  /** Repeats a request that is not answered, or with an answer that says to try again. */
  const page = async (url: string) => {
    const known = context.violations.total;
    for (;;) {
      const answer = await get(url, [200]);
      // A page that cannot be had is reported once, and ends the walk.
      if (answer || context.violations.total > known) return answer;
      await delay(100);
    }
  };

  return {
    close: () => api.close(),

    async walk({
      limit,
      status,
      mostPages,
    }: {
      limit: number;
      status: string | undefined;
      mostPages: number;
    }) {
      const acknowledgedBefore = [...ledger.acknowledged];
      const query = `limit=${limit}${status === undefined ? '' : `&status=${status}`}`;
      const pages: WalkedPage[] = [];
      let url: string | undefined = `${service.url(stage)}/pets?${query}`;
      while (url !== undefined && pages.length < mostPages) {
        const answer: Awaited<ReturnType<typeof page>> = await page(url);
        if (!answer) return;
        url = nextPage(answer.headers);
        pages.push({ pets: readPets(answer.text), limit, hasNext: url !== undefined, during: answer.during });
      }
      checkWalk(
        { name: `GET /pets?${query} of ${stage}`, status, pages, acknowledgedBefore },
        ledger,
        report,
      );
      tally.count(url === undefined ? 'walks to the end' : 'walks of some pages');
    },

    /** Gets an animal that was acknowledged: it is there, and as it was created. */
    async get(random: Random) {
      const { acknowledged } = ledger;
      if (acknowledged.length === 0) return delay(100);
      // Most often one of the latest, which is where a write would be missing.
      const from = random.chance(0.7) ? Math.max(0, acknowledged.length - 50) : 0;
      const entry = acknowledged[random.between(from, acknowledged.length - 1)];
      if (entry?.id === undefined) return;
      const answer = await get(`${service.url(stage)}/pets/${entry.id}`, [200, 404]);
      if (!answer) return;
      tally.count('animals read');
      if (answer.status === 404) return ledger.notFound(entry, `GET /pets/${entry.id}`);
      const [pet] = readPets(answer.text);
      if (pet) ledger.seen(pet, answer.during, `GET /pets/${entry.id}`);
    },
  };
}
