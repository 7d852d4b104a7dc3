/**
 * What the OpenAPI document says about the contract's schemas beyond what zod knows: prose, examples and, where a
 * schema checks by code, the JSON Schema that accepts exactly the same. It stands here and not at the schemas, so that
 * no function carries it.
 */
import * as z from 'zod/mini';
import type { ZodOpenApiMetadata } from 'zod-openapi';
import { ErrorBody } from '../../shared/http/errors.ts';
import { ListOrders, Order, OrderStatus, Orders } from '../../shared/orders/order.ts';
import { Cursor, Limit } from '../../shared/paging.ts';
import { CreatePet, GetPet, ListPets, NewPet, Pet, PetStatus, Pets } from '../../shared/pets/pet.ts';
import { EXAMPLE_ORDER, EXAMPLE_PET } from './examples.ts';
import { IDEMPOTENCY_KEY_PATTERN, PET_NAME_PATTERN } from './patterns.ts';

const describe = (schema: z.core.$ZodType, metadata: ZodOpenApiMetadata) =>
  z.globalRegistry.add(schema, metadata);

const int64 = { type: 'integer', format: 'int64' } as const;

describe(PetStatus, { id: 'PetStatus', description: 'Whether an animal can be had.' });

describe(NewPet, {
  id: 'NewPet',
  description: 'An animal to be added. Fields that are not listed are ignored.',
});
describe(NewPet.shape.name, {
  description:
    'The animal’s name: 1 to 255 characters, white space around it not counted, none of them a control character. It is kept as it was sent.',
  examples: [EXAMPLE_PET.name],
  override: { minLength: 1, pattern: PET_NAME_PATTERN },
});
describe(NewPet.shape.categoryId, {
  description: 'Identifier of the category that the animal belongs to.',
  examples: [EXAMPLE_PET.categoryId],
});
describe(NewPet.shape.status, { description: 'Availability; without one the animal is available.' });

describe(Pet, { id: 'Pet', description: 'An animal.' });
describe(Pet.shape.id, {
  description: 'Unique identifier, assigned on creation. Later animals have greater ones.',
  examples: [EXAMPLE_PET.id],
});
describe(Pet.shape.name, { description: 'The animal’s name, as it was sent.', examples: [EXAMPLE_PET.name] });
describe(Pet.shape.categoryId, {
  description: 'Identifier of the category that the animal belongs to.',
  examples: [EXAMPLE_PET.categoryId],
});
describe(Pets, { id: 'Pets', description: 'A page of animals in ascending order of `id`.' });

describe(OrderStatus, { id: 'OrderStatus', description: 'How far an order has come.' });
describe(Order, { id: 'Order', description: 'An order for one animal.' });
describe(Order.shape.id, { description: 'Unique identifier of the order.', examples: [EXAMPLE_ORDER.id] });
describe(Order.shape.petId, {
  description: 'Identifier of the animal that was ordered.',
  examples: [EXAMPLE_ORDER.petId],
});
describe(Order.shape.placedAt, {
  description: 'When the order was placed (RFC 3339, UTC).',
  examples: [EXAMPLE_ORDER.placedAt],
  override: { format: 'date-time' },
});
describe(Orders, { id: 'Orders', description: 'A page of orders in ascending order of `id`.' });

describe(ErrorBody, { id: 'Error', description: 'The body of every error answer.' });
describe(ErrorBody.shape.code, { description: 'Machine-readable error code.' });
describe(ErrorBody.shape.message, {
  description: 'Human-readable description. It names every fault at once and may change: do not parse it.',
});
describe(ErrorBody.shape.status, {
  description: 'The HTTP status code.',
  override: { type: 'integer', minimum: 400, maximum: 599 },
});

describe(Limit, {
  description: 'Maximum number of elements of the page.',
  override: ({ jsonSchema }) => {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, acceptedNumbers(Limit));
  },
});
describe(Cursor, {
  description:
    'Where the page starts: taken from the `Link` header of the page before it. It is good for the list and filter that it was given for; any other is 400 `invalid_cursor`.',
  // The form of what shared/http/cursor.ts makes: a position in base 36 and an HMAC-SHA256 in base64url.
  override: { pattern: '^[0-9a-z]{1,11}\\.[0-9A-Za-z_-]{43}$' },
});
describe(ListPets.shape.query.shape.status, { description: 'Only animals of this availability.' });
describe(ListOrders.shape.query.shape.status, { description: 'Only orders of this status.' });
describe(CreatePet.shape.headers.shape['Idempotency-Key'], {
  description:
    'A text of your choice, such as a UUID, that makes it safe to send the request again: within 24 hours the same key with the same body adds one animal and answers the same 201.',
  override: { pattern: IDEMPOTENCY_KEY_PATTERN },
});
describe(GetPet.shape.path.shape.petId, {
  description: 'Identifier of the animal.',
  examples: [EXAMPLE_PET.id],
  override: int64,
});

/** The integers that a query parameter accepts as text, which for its schema is a matter of a pattern. */
function acceptedNumbers(parameter: typeof Limit) {
  const numbers = Array.from({ length: 1000 }, (_, number) => number);
  const accepted = numbers.filter(number => z.safeParse(parameter, String(number)).success);
  return {
    type: 'integer',
    minimum: accepted.at(0),
    maximum: accepted.at(-1),
    default: z.parse(parameter, undefined),
  };
}
