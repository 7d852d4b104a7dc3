import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { stringifyJson } from '../../../shared/http/json.ts';
import { commonHeaders, deprecation, nextPage, openCursor } from './contract/headers.ts';
import {
  addPet,
  findPet,
  ListQuery,
  listPets,
  NewPet,
  singleValues,
  valid,
} from './contract/pet-operations.ts';
import { ApiError, petIdFrom, readJsonBody, requireScope, toApiError } from './contract/rules.ts';

/** The three operations on Hono, one function for all of them, as its documentation shows. */
const app = new Hono<{ Bindings: { event: APIGatewayProxyEvent } }>().basePath('/v1');

app.use(async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(commonHeaders(c.env.event))) c.header(name, value);
});

app.get('/pets', async c => {
  const { event } = c.env;
  requireScope(event, 'pets:read');
  const { limit, status, cursor } = valid(ListQuery, singleValues(c.req.queries()));
  const { pets, hasMore } = await listPets(limit, status, openCursor(cursor, status));
  const last = pets.at(-1);
  if (hasMore && last) c.header('Link', nextPage(event, limit, status, BigInt(last.id)));
  return c.body(stringifyJson(pets));
});

app.post('/pets', async c => {
  requireScope(c.env.event, 'pets:write');
  const body = valid(NewPet, readJsonBody(c.req.header('Content-Type'), await c.req.text()));
  return c.body(stringifyJson(await addPet(body)), 201);
});

app.get('/pets/:petId', async c => {
  for (const [name, value] of Object.entries(deprecation(c.env.event))) c.header(name, value);
  requireScope(c.env.event, 'pets:read');
  const petId = petIdFrom(c.req.param('petId'));
  const pet = petId === undefined ? undefined : await findPet(petId);
  if (!pet) throw new ApiError('not_found', 'There is no animal with this id.');
  for (const [name, value] of Object.entries(deprecation(c.env.event, pet.status))) c.header(name, value);
  return c.body(stringifyJson(pet));
});

app.onError((error, c) => {
  const { status, body } = toApiError(error);
  return c.body(body, status as ContentfulStatusCode);
});

export const handler = handle(app);
