import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
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

/** The three operations on the event handler of Powertools, one function for all, as its documentation shows. */
const app = new Router({ prefix: '/v1' });

app.get('/pets', async reqCtx => {
  const event = reqCtx.event as APIGatewayProxyEvent;
  requireScope(event, 'pets:read');
  const { limit, status, cursor } = valid(ListQuery, singleValues(event.multiValueQueryStringParameters));
  const { pets, hasMore } = await listPets(limit, status, openCursor(cursor, status));
  const last = pets.at(-1);
  const link = hasMore && last && { Link: nextPage(event, limit, status, BigInt(last.id)) };
  return new Response(stringifyJson(pets), { headers: { ...commonHeaders(event), ...link } });
});

app.post('/pets', async ({ req, ...reqCtx }) => {
  const event = reqCtx.event as APIGatewayProxyEvent;
  requireScope(event, 'pets:write');
  const newPet = valid(NewPet, readJsonBody(req.headers.get('Content-Type') ?? undefined, await req.text()));
  return new Response(stringifyJson(await addPet(newPet)), { status: 201, headers: commonHeaders(event) });
});

app.get('/pets/:petId', async ({ params, ...reqCtx }) => {
  const event = reqCtx.event as APIGatewayProxyEvent;
  requireScope(event, 'pets:read');
  const petId = petIdFrom(String(params.petId));
  const pet = petId === undefined ? undefined : await findPet(petId);
  if (!pet) throw new ApiError('not_found', 'There is no animal with this id.');
  return new Response(stringifyJson(pet), {
    headers: { ...commonHeaders(event), ...deprecation(event, pet.status) },
  });
});

app.errorHandler(Error, async (error, reqCtx) => {
  const event = reqCtx.event as APIGatewayProxyEvent;
  const { status, body } = toApiError(error);
  const isGetPet = event.resource === '/v1/pets/{petId}';
  return new Response(body, {
    status,
    headers: { ...commonHeaders(event), ...(isGetPet && deprecation(event)) },
  });
});

export const handler = (event: APIGatewayProxyEvent, context: Context) => app.resolve(event, context);
