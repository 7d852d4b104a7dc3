import {
  createPet,
  listPets,
  MAXIMUM_IDEMPOTENCY_KEY_LENGTH,
  PET_NOT_FOUND,
  PetId,
} from '../../shared/pets/operations.ts';
import { MAXIMUM_NAME_LENGTH, NewPet, Pet, PetStatus, Pets } from '../../shared/pets/pet.ts';
import { describeSchema } from './describe-schema.ts';
import type { OperationTexts } from './operation-object.ts';

/**
 * Regular expressions of the document. They use only what ECMAScript (with and without the flag u), Python and Java
 * interpret alike, so that any tool can validate with them: classes, and \uXXXX for what is not visible ASCII, since Prism
 * puts patterns into headers; no properties, no look-around, no surrogates, which tools that work with code points cannot
 * represent.
 */

/** Control characters, Unicode's Cc, and U+FFFD, which replaces what a decoder could not read. */
const UNREADABLE = String.raw`\u0000-\u001F\u007F-\u009F\uFFFD`;

/** The white space that String.prototype.trim removes, without control characters. */
const SPACE = String.raw` \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF`;

/** Any characters, at least one of them not white space. The schema's maxLength bounds them. */
const PET_NAME_PATTERN = `^[^${UNREADABLE}]*[^${UNREADABLE}${SPACE}][^${UNREADABLE}]*$`;

/** Characters that a header can carry (RFC 9110, 5.5); blanks around a header's value are not part of it. */
const IDEMPOTENCY_KEY_PATTERN = (() => {
  const visible = String.raw`!-~\u0080-\u00FF`;
  return String.raw`^[${visible}]([\u0009 ${visible}]{0,${MAXIMUM_IDEMPOTENCY_KEY_LENGTH - 2}}[${visible}])?$`;
})();

/** In Python `$` also matches before a line feed at the end: without this, tools would generate names that end with one. */
const NO_LINE_FEED = { pattern: String.raw`\u000A` };

/** A test sends the requests of the examples to the running service and compares the responses. */
export const EXAMPLE_PET = { id: 473478439174144, name: 'Rex', categoryId: 1, status: 'available' } as const;

export const EXAMPLE_NEW_PET = { name: EXAMPLE_PET.name, categoryId: EXAMPLE_PET.categoryId } as const;

describeSchema(PetStatus, { id: 'PetStatus', description: 'Availability status of an animal.' });

describeSchema(NewPet, {
  id: 'NewPet',
  description: "An animal to add. Fields that aren't listed here are ignored.",
  override: ({ jsonSchema: { properties = {} } }) => {
    // Generators take a property with a default for one that is always there, and would require it. The description
    // says it to people; the extension keeps it in the contract.
    const { status } = properties;
    if (typeof status !== 'object') return;
    const { default: standard, ...rest } = status;
    properties.status = { ...rest, 'x-default': standard };
  },
});
describeSchema(NewPet.shape.name, {
  description: `The animal's name: 1 to ${MAXIMUM_NAME_LENGTH} characters (Unicode code points), not only white space; no control characters, lone surrogates or U+FFFD. It is stored exactly as sent.`,
  examples: [EXAMPLE_PET.name],
  override: { minLength: 1, maxLength: MAXIMUM_NAME_LENGTH, pattern: PET_NAME_PATTERN, not: NO_LINE_FEED },
});
describeSchema(NewPet.shape.categoryId, {
  description: 'Identifier of the category that the animal belongs to.',
  examples: [EXAMPLE_PET.categoryId],
});
describeSchema(NewPet.shape.status, {
  description: 'Availability status, `available` by default.',
});

describeSchema(Pet, { id: 'Pet', description: 'An animal.' });
describeSchema(Pet.shape.id, {
  description: 'Unique identifier, assigned on creation. Animals added later have higher ones.',
  examples: [EXAMPLE_PET.id],
});
describeSchema(Pet.shape.name, {
  description: "The animal's name, exactly as sent.",
  examples: [EXAMPLE_PET.name],
});
describeSchema(Pet.shape.categoryId, {
  description: 'Identifier of the category that the animal belongs to.',
  examples: [EXAMPLE_PET.categoryId],
});
describeSchema(Pets, {
  id: 'Pets',
  // The navigation of the reference page has a group Pets already.
  title: 'Page of animals',
  description: 'A page of animals, sorted by ascending `id`.',
});

describeSchema(listPets.request.shape.query.shape.status, {
  description: 'Return only animals with this status.',
});
describeSchema(createPet.request.shape.headers.shape['Idempotency-Key'], {
  description:
    'A value of your choice, such as a UUID, that makes it safe to send the request again. Within 24 hours, the same key with the same body adds only one animal and returns the same 201. Double quotes around it make no difference.',
  override: { pattern: IDEMPOTENCY_KEY_PATTERN },
});
describeSchema(PetId, {
  description: 'Identifier of the animal.',
  examples: [EXAMPLE_PET.id],
  override: { type: 'integer', format: 'int64' },
});

export const PET_TEXTS = {
  listPets: {
    summary: 'List animals',
    description:
      'Returns a page of animals, sorted by ascending `id`, which is the order of creation. The `Link` header has the URL of the next page. A new animal may take a moment to appear.',
    client: 'pets.list({ limit: 20 })',
    success: {
      description: 'A page of animals.',
      headers: { Link: 'NextPage' },
      content: { schema: Pets, examples: { page: { summary: 'One animal', value: [EXAMPLE_PET] } } },
    },
  },
  createPet: {
    summary: 'Add an animal',
    description:
      'Adds an animal and returns it with its new `id`. If you send an `Idempotency-Key`, you can repeat the request without adding a second animal.',
    client: "pets.create({ name: 'Rex', categoryId: 1n })",
    body: {
      description: 'The animal to add. At most 16 KiB.',
      examples: {
        available: { summary: 'An available animal', value: EXAMPLE_NEW_PET },
        pending: {
          summary: 'A pending animal',
          value: { name: 'Luna', categoryId: 2, status: 'pending' },
        },
      },
    },
    success: {
      description: 'The new animal.',
      headers: { Location: 'Location', 'Idempotency-Replayed': 'Idempotency-Replayed' },
      content: { schema: Pet, examples: { pet: { summary: 'The new animal', value: EXAMPLE_PET } } },
    },
    messages: {
      invalid_request:
        'name is required; categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
    },
  },
  getPet: {
    summary: 'Get an animal',
    description: 'Returns one animal by its identifier.',
    client: 'pets.get(BigInt(process.env.PET_ID))',
    successorHint: 'with the `status` filter',
    success: {
      description: 'The animal.',
      content: { schema: Pet, examples: { pet: { summary: 'The animal', value: EXAMPLE_PET } } },
    },
    messages: { not_found: PET_NOT_FOUND },
  },
} satisfies Readonly<Record<string, OperationTexts>>;
