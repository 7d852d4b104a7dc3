import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { createPet, listPets } from '../../../shared/pets/operations.ts';
import { NewPet } from '../../../shared/pets/pet.ts';
import { anyText } from '../../any-text.ts';

interface Operation extends Record<string, unknown> {
  readonly operationId: string;
  readonly security: unknown;
  readonly tags: unknown;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly responses: Record<string, object>;
}
const document = JSON.parse(stringifyJson(openApiDocument()));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const operation = (operationId: string) =>
  operations.find(candidate => candidate.operationId === operationId) as Operation;

describe('the document', () => {
  test('has the operations of the interface, each with bearer security and the tag animals', () => {
    expect(operations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`)).toEqual([
      'get /pets listPets',
      'post /pets createPet',
      'get /pets/{petId} getPet',
      'get /store/orders listOrders',
    ]);
    for (const { security, tags } of operations) {
      expect({ security, tags }).toEqual({ security: [{ bearer: [] }], tags: ['animals'] });
    }
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  test('has the version of the interface and both servers', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.1', '1.0.0']);
    expect(document.servers.map(({ description }: { description: string }) => description)).toEqual([
      'Production',
      'Staging',
    ]);
  });

  test('has Store and Pets as navigation groups without operations', () => {
    expect(document.tags.map(({ name }: { name: string }) => name)).toEqual(['Store', 'Pets', 'animals']);
    expect(document.tags.map((tag: Record<string, string>) => tag['x-parent'])).toEqual([
      undefined,
      'Store',
      'Pets',
    ]);
    const [, , { 'x-displayName': shownAs }] = document.tags;
    expect([document['x-tagGroups'], shownAs]).toEqual([[{ name: 'Store', tags: ['animals'] }], 'Pets']);
  });

  test('marks what is deprecated, what is experimental, and what has no try-out panel', () => {
    expect(operation('getPet')).toMatchObject({ deprecated: true, 'x-deprecated-sunset': '2030-12-05' });
    expect(operation('listOrders')).toMatchObject({
      'x-stability': 'experimental',
      'x-scalar-stability': 'experimental',
      'x-hideTryItPanel': true,
    });
    for (const name of ['listPets', 'createPet'])
      expect(operation(name)).not.toHaveProperty('x-hideTryItPanel');
  });

  test('lists the headers of a deprecated operation only where they are sent', () => {
    const { responses } = operation('getPet') as { responses: Record<string, { headers: object }> };
    const statuses = Object.keys(responses).filter(status => 'Sunset' in (responses[status]?.headers ?? {}));
    expect(statuses.map(Number)).toEqual([200, 403, 404, 500, 503]);
    for (const { operationId, ...others } of operations.filter(each => each.operationId !== 'getPet')) {
      expect([operationId, JSON.stringify(others).includes('headers/Sunset')]).toEqual([operationId, false]);
    }
  });

  test.each([
    ['listPets', [200, 400, 401, 403, 429, 500, 503, 504]],
    ['createPet', [201, 400, 401, 403, 413, 415, 422, 429, 500, 503, 504]],
    ['getPet', [200, 401, 403, 404, 429, 500, 503, 504]],
    ['listOrders', [200, 400, 401, 403, 429, 500, 503, 504]],
  ])('lists the statuses of %s', (name, statuses) => {
    expect(Object.keys(operation(name).responses).map(Number)).toEqual(statuses);
  });
});

const ajv = new Ajv2020({ strict: false, formats: { int64: true } }).addSchema(document, 'document');

/** The validator of a parameter or component. */
function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
}

function parameter(operationId: string, name: string) {
  return validatorOf(
    operation(operationId).parameters.find(candidate => candidate.name === name)?.schema ?? {},
  );
}

describe('the document accepts exactly what the service accepts', () => {
  test('limit', () => {
    const isDocumented = parameter('listPets', 'limit');
    for (let limit = -5; limit <= 1100; limit += 1) {
      const isAccepted = z.safeParse(listPets.request, { query: { limit: String(limit) } }).success;
      expect([limit, isDocumented(limit)]).toEqual([limit, isAccepted]);
    }
    expect(document.paths['/pets'].get.parameters[0].schema.default).toBe(
      listPets.request.parse({ query: {} }).query.limit,
    );
  });

  const isNewPet = validatorOf(document.components.schemas.NewPet);
  const agrees = (body: unknown) => {
    // The body as the client sends it and as the service parses it.
    const isAccepted = z.safeParse(NewPet, parseJson(JSON.stringify(body))).success;
    // Lone surrogates are refused by prose alone: tools that work with code points cannot represent them in a pattern.
    const isDocumented = !hasLoneSurrogate(body) && isNewPet(body);
    // Compared first: the tests below ask about 70,000 bodies, and each expect() takes longer than the two validations.
    if (isDocumented !== isAccepted) expect([body, isDocumented]).toEqual([body, isAccepted]);
  };

  const hasLoneSurrogate = (body: unknown) => {
    const { name } = Object(body) as { name?: unknown };
    return typeof name === 'string' && !name.isWellFormed();
  };

  const blank = fc.constantFrom(
    ...' \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\t\n\u0085\u200b',
  );
  const character = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'é', '🐕', '\u0000', '\u007f', '\u009f', '\ud800', '\udfff', '\ufffd'),
    },
    { weight: 3, arbitrary: blank },
    { weight: 6, arbitrary: anyText({ minLength: 1, maxLength: 1 }) },
  );
  const text = (unit: fc.Arbitrary<string>, maxLength: number) =>
    fc.array(unit, { maxLength }).map(parts => parts.join(''));

  test('name: blanks, control characters and surrogates anywhere', () => {
    fc.assert(
      fc.property(text(blank, 4), text(character, 8), text(blank, 4), (before, inside, after) =>
        agrees({ name: `${before}${inside}${after}`, categoryId: 1 }),
      ),
      { numRuns: 5000 },
    );
  });

  test('name: every single character of the basic plane', () => {
    for (let code = 0; code <= 0xffff; code += 1) agrees({ name: String.fromCharCode(code), categoryId: 1 });
  });

  test.each([0, 1, 2, 254, 255, 256, 300])('name: %i characters, with and without blanks around', length => {
    for (const unit of ['x', '🐕', 'x ']) {
      const name = [...unit.repeat(length)].slice(0, length).join('');
      for (const blanks of [0, 1, 300]) {
        agrees({ name: `${' '.repeat(blanks)}${name}${' '.repeat(blanks)}`, categoryId: 1 });
      }
    }
  });

  test('categoryId and status: any JSON', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom('available', 'sold'),
    );
    fc.assert(
      fc.property(value, value, (categoryId, status) => {
        agrees({ name: 'Rex', categoryId });
        agrees({ name: 'Rex', categoryId: 1, status });
        agrees(categoryId);
      }),
      { numRuns: 2000 },
    );
  });

  test('Idempotency-Key: what a header can carry', () => {
    const isDocumented = parameter('createPet', 'Idempotency-Key');
    const visible = fc.integer({ min: 0x21, max: 0xff }).filter(code => code !== 0x7f);
    const sendable = fc.oneof(visible, fc.constantFrom(0x20, 0x09)).map(code => String.fromCharCode(code));
    fc.assert(
      fc.property(text(sendable, 260), value => {
        // Blanks around a header's value are not part of it (RFC 9110, 5.5).
        const key = value.replace(/^[ \t]+|[ \t]+$/g, '');
        const headers = { 'Idempotency-Key': key };
        const { success } = z.safeParse(createPet.request.shape.headers, headers);
        expect([key, isDocumented(key)]).toEqual([key, success]);
      }),
    );
    expect(['x'.repeat(255), 'x'.repeat(256), ''].map(key => isDocumented(key))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
