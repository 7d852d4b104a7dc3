import type { APIGatewayProxyEvent } from 'aws-lambda';
import express, { type NextFunction, type Request, type Response } from 'express';
import serverlessHttp from 'serverless-http';
import { stringifyJson } from '../../../shared/http/json.ts';
import { commonHeaders, deprecation, nextPage, openCursor } from './contract/headers.ts';
import { addPet, findPet, ListQuery, listPets, NewPet, valid } from './contract/pet-operations.ts';
import { ApiError, petIdFrom, readJsonBody, requireScope, toApiError } from './contract/rules.ts';

/** The three operations on Express, one function for all of them, as serverless-http's documentation shows. */
const app = express();
app.disable('x-powered-by');
// Responses are not cacheable, so an ETag would only cost CPU time.
app.disable('etag');

const eventOf = (request: Request): APIGatewayProxyEvent => request.apiGateway.event;

app.use((request: Request, response: Response, next: NextFunction) => {
  response.set(commonHeaders(eventOf(request)));
  next();
});

app.get('/v1/pets', async (request: Request, response: Response) => {
  requireScope(eventOf(request), 'pets:read');
  const { limit, status, cursor } = valid(ListQuery, request.query);
  const { pets, hasMore } = await listPets(limit, status, openCursor(cursor, status));
  const last = pets.at(-1);
  if (hasMore && last) response.set('Link', nextPage(eventOf(request), limit, status, BigInt(last.id)));
  response.send(stringifyJson(pets));
});

// Express's own JSON parser rounds integers beyond 2^53, and its errors do not follow the contract.
const text = express.text({ type: () => true, limit: 1024 * 1024 });

app.post('/v1/pets', text, async (request: Request, response: Response) => {
  requireScope(eventOf(request), 'pets:write');
  const body = typeof request.body === 'string' ? request.body : null;
  const newPet = valid(NewPet, readJsonBody(request.get('Content-Type'), body));
  response.status(201).send(stringifyJson(await addPet(newPet)));
});

app.get('/v1/pets/:petId', async (request: Request, response: Response) => {
  response.set(deprecation(eventOf(request)));
  requireScope(eventOf(request), 'pets:read');
  const petId = petIdFrom(String(request.params.petId));
  const pet = petId === undefined ? undefined : await findPet(petId);
  if (!pet) throw new ApiError('not_found', 'There is no animal with this id.');
  response.set(deprecation(eventOf(request), pet.status));
  response.send(stringifyJson(pet));
});

// Express recognizes an error handler by its four parameters.
app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
  const { status, body } = toApiError(error);
  response.status(status).send(body);
});

export const handler = serverlessHttp(app);
