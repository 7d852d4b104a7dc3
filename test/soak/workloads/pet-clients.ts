import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../infra/local/virtual/random.ts';
import { checkWalk, type SeenPet, type WalkedPage } from '../ledger/pet-ledger.ts';
import type { StageContext } from '../stage-context.ts';
import {
  ApiClient,
  checkResponse,
  nextPage,
  readItems,
  type TimedResponse,
  TRANSIENT,
} from './api-client.ts';

/** Ends of names, of all kinds that are accepted. */
const SUFFIXES = ['', ' Rex', ' 🦊', ' O’Malley', ' "quoted"', ' \\', ' <b>', ' 名前', '  x  ', ' é́́'];

const CATEGORIES = ['1', '0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'];

/** Creates pets until the run is over: with an Idempotency-Key it repeats until it gets a response, as a good client does. */
export async function createPets(context: StageContext, letter: string, random: Random): Promise<void> {
  const { stage, url, apiKey, pets: ledger, tally, now, seed } = context;
  const client = `${stage}-${letter}`;
  const report = context.violations.add;
  const api = new ApiClient(context);

  const post = (pet: Omit<SeenPet, 'id'>, headers: Record<string, string>) =>
    api.send({
      method: 'POST',
      url: `${url}/pets`,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json', ...headers },
      body: bodyOf(pet, random),
    });

  /** Enters the 201 to a request into the ledger; returns whether the request need not be repeated. */
  const accept = (response: TimedResponse | undefined, request: string): boolean => {
    if (!response) return false;
    if (!checkResponse(request, response, [201], report)) return !TRANSIENT.includes(response.status);
    const [pet] = readItems(response.text);
    if (pet) ledger.created(pet, response.during);
    tally.count(response.headers['idempotency-replayed'] ? 'creates replayed' : 'pets created');
    return true;
  };

  for (let number = 1; !context.isOver(); number += 1) {
    const name = `${seed} ${client} ${number}${random.pick(SUFFIXES)}`;
    const status = random.chance(0.7) ? 'available' : random.pick(['pending', 'sold']);
    const pet = { name, categoryId: random.pick([...CATEGORIES, String(number)]), status };
    const isKeyed = random.chance(0.6);
    ledger.requested(pet, now());
    if (!isKeyed) {
      accept(await post(pet, {}), `POST /pets ${name}`);
      continue;
    }
    const headers = { 'Idempotency-Key': `${client}-${number}` };
    let isDone = false;
    while (!isDone) {
      // Impatient clients send a request again before it gets a response.
      const times = random.chance(0.1) ? 2 : 1;
      const responses = await Promise.all(Array.from({ length: times }, () => post(pet, headers)));
      isDone = responses.map(response => accept(response, `POST /pets ${name}`)).includes(true);
      if (!isDone) await delay(random.between(50, 500));
    }
    if (random.chance(0.1)) accept(await post(pet, headers), `POST /pets ${name} again`);
    if (random.chance(0.05)) await misuse(pet, headers);
  }
  api.close();

  /** Reusing an Idempotency-Key for another pet is refused, and creates nothing. */
  async function misuse(pet: Omit<SeenPet, 'id'>, headers: Record<string, string>) {
    const other = { ...pet, name: `${pet.name} never` };
    const response = await post(other, headers);
    if (response)
      checkResponse(`POST /pets ${other.name} with a used Idempotency-Key`, response, [422], report);
    tally.count('Idempotency-Keys used for another pet');
  }
}

/** A pet in one of the forms of JSON that mean the same. */
function bodyOf({ name, categoryId, status }: Omit<SeenPet, 'id'>, random: Random): string {
  const fields = [`"name":${JSON.stringify(name)}`, `"categoryId":${categoryId}`];
  if (status !== 'available' || random.chance(0.5)) fields.push(`"status":"${status}"`);
  if (random.chance(0.1)) fields.reverse();
  if (random.chance(0.1)) fields.push('"unknown":[null]');
  return `{${fields.join(random.chance(0.1) ? ' ,\n' : ',')}}`;
}

export const STATUSES = [undefined, 'available', 'pending', 'sold'];

/** A walk with a small limit would take the whole run, so it ends early; it is checked up to where it ended. */
const MOST_PAGES = 60;

/** Walks through the list, and gets single pets, until the run is over. */
export async function readAllPets(context: StageContext, random: Random): Promise<void> {
  const reader = petReader(context);
  while (!context.isOver()) {
    if (random.chance(0.3)) {
      const limit = random.chance(0.5) ? 100 : random.between(1, 100);
      await reader.walk(limit, random.pick(STATUSES), MOST_PAGES);
    } else {
      await reader.get(random);
    }
  }
  reader.close();
}

/** Reads the pets of an environment, and checks what it gets against the ledger. */
export function petReader(context: StageContext) {
  const { stage, url: baseUrl, apiKey, pets: ledger, tally } = context;
  const report = context.violations.add;
  const api = new ApiClient(context);

  const get = async (url: string, expected: readonly number[]) => {
    const response = await api.send({ method: 'GET', url, headers: { Authorization: `Bearer ${apiKey}` } });
    return response && checkResponse(`GET ${url}`, response, expected, report) ? response : undefined;
  };

  /** Repeats a request that has no response, or one that says to try again. */
  const page = async (url: string) => {
    const known = context.violations.total;
    for (;;) {
      const response = await get(url, [200]);
      // A page that cannot be had is reported once, and ends the walk.
      if (response || context.violations.total > known) return response;
      await delay(100);
    }
  };

  return {
    close: () => api.close(),

    async walk(limit: number, status: string | undefined, mostPages: number) {
      const acknowledgedBefore = [...ledger.acknowledged];
      const query = `limit=${limit}${status === undefined ? '' : `&status=${status}`}`;
      const pages: WalkedPage[] = [];
      let url: string | undefined = `${baseUrl}/pets?${query}`;
      while (url !== undefined && pages.length < mostPages) {
        const response: Awaited<ReturnType<typeof page>> = await page(url);
        if (!response) return;
        url = nextPage(response.headers);
        pages.push({
          pets: readItems(response.text),
          limit,
          hasNext: url !== undefined,
          during: response.during,
        });
      }
      checkWalk(
        { name: `GET /pets?${query} of ${stage}`, status, pages, acknowledgedBefore },
        ledger,
        report,
      );
      tally.count(url === undefined ? 'walks to the end' : 'walks of some pages');
    },

    /** Gets a pet that was acknowledged: it is there, and as it was created. */
    async get(random: Random) {
      const { acknowledged } = ledger;
      if (acknowledged.length === 0) return delay(100);
      // Most often one of the latest, which is where a write would be missing.
      const from = random.chance(0.7) ? Math.max(0, acknowledged.length - 50) : 0;
      const entry = acknowledged[random.between(from, acknowledged.length - 1)];
      if (entry?.id === undefined) return;
      const response = await get(`${baseUrl}/pets/${entry.id}`, [200, 404]);
      if (!response) return;
      tally.count('pets read');
      if (response.status === 404) return ledger.notFound(entry, `GET /pets/${entry.id}`);
      const [pet] = readItems(response.text);
      if (pet) ledger.seen(pet, response.during, `GET /pets/${entry.id}`);
    },
  };
}
