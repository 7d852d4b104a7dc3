import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../simulation/random.ts';
import type { SoakContext } from '../context.ts';
import { checkAnswer, TRANSIENT } from '../ledger/answer-check.ts';
import type { SeenPet } from '../ledger/pet-ledger.ts';
import type { Stage } from '../service-process.ts';
import { ApiClient, type TimedAnswer } from './api-client.ts';
import { readPets } from './pets.ts';

/** Ends of names, of all kinds that are accepted. */
const SUFFIXES = ['', ' Rex', ' 🦊', ' O’Malley', ' "quoted"', ' \\', ' <b>', ' 名前', '  x  ', ' é́́'];

const CATEGORIES = ['1', '0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'];

/** Creates animals until the run is over: with an Idempotency-Key it repeats until it is answered, as a good client does. */
export async function createPets(
  context: SoakContext,
  stage: Stage,
  client: string,
  apiKey: () => string,
  random: Random,
): Promise<void> {
  const { service, pets, tally, now, seed } = context;
  const ledger = pets[stage];
  const report = context.violations.add;
  const api = new ApiClient(context);
  const url = `${service.url(stage)}/pets`;

  const post = (pet: Omit<SeenPet, 'id'>, headers: Record<string, string>, key: string) =>
    api.send({
      method: 'POST',
      url,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: bodyOf(pet, random),
    });

  /** Enters the 201 to a request into the ledger; returns whether the request need not be repeated. */
  const accept = (answer: TimedAnswer | undefined, request: string): boolean => {
    if (!answer) return false;
    if (!checkAnswer(request, answer, [201], report)) return !TRANSIENT.includes(answer.status);
    const [pet] = readPets(answer.text);
    if (pet) ledger.created(pet, answer.during);
    tally.count(answer.headers['idempotency-replayed'] ? 'creates replayed' : 'animals created');
    return true;
  };

  for (let number = 1; !context.isOver(); number += 1) {
    const name = `${seed} ${client} ${number}${random.pick(SUFFIXES)}`;
    const status = random.chance(0.7) ? 'available' : random.pick(['pending', 'sold']);
    const pet = { name, categoryId: random.pick([...CATEGORIES, String(number)]), status };
    const isKeyed = random.chance(0.6);
    ledger.requested(pet, now());
    // A key counts for one API key only, so a repetition is sent with the same one.
    const key = apiKey();
    if (!isKeyed) {
      accept(await post(pet, {}, key), `POST /pets ${name}`);
      continue;
    }
    const headers = { 'Idempotency-Key': `${client}-${number}` };
    let isDone = false;
    while (!isDone) {
      // Impatient clients send a request again before it is answered.
      const times = random.chance(0.1) ? 2 : 1;
      const answers = await Promise.all(Array.from({ length: times }, () => post(pet, headers, key)));
      isDone = answers.map(answer => accept(answer, `POST /pets ${name}`)).includes(true);
      if (!isDone) await delay(random.between(50, 500));
    }
    if (random.chance(0.1)) accept(await post(pet, headers, key), `POST /pets ${name} again`);
    if (random.chance(0.05)) await misuse(pet, headers, key);
  }
  api.close();

  /** The same Idempotency-Key for another animal is refused, and creates nothing. */
  async function misuse(pet: Omit<SeenPet, 'id'>, headers: Record<string, string>, key: string) {
    const other = { ...pet, name: `${pet.name} never` };
    const answer = await post(other, headers, key);
    if (answer) checkAnswer(`POST /pets ${other.name} with a used Idempotency-Key`, answer, [422], report);
    tally.count('Idempotency-Keys used for another animal');
  }
}

/** The same animal in one of the forms that mean the same. */
function bodyOf({ name, categoryId, status }: Omit<SeenPet, 'id'>, random: Random): string {
  const fields = [`"name":${JSON.stringify(name)}`, `"categoryId":${categoryId}`];
  if (status !== 'available' || random.chance(0.5)) fields.push(`"status":"${status}"`);
  if (random.chance(0.1)) fields.reverse();
  if (random.chance(0.1)) fields.push('"unknown":[null]');
  return `{${fields.join(random.chance(0.1) ? ' ,\n' : ',')}}`;
}
