import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { temporaryFolder } from '../../../infra/local/testing/temporary-folder.ts';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import { STATUS_BY_CODE } from '../../../shared/errors.ts';
import { parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
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

/** What every operation can return, whatever the request. */
const COMMON_STATUSES = [401, 403, 429, 500, 503, 504];

/** The errors that come from API Gateway, without the headers of the function. */
const GATEWAY_STATUSES = [401, 429, 504];

describe('the document', () => {
  test('has no error and no warning by the strict rules of Redocly', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'openapi.json'), stringifyJson(openApiDocument()));
    const cli = resolve(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
    const lint = [cli, 'lint', '--extends', 'recommended-strict', 'openapi.json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stderr } = await promisify(execFile)(process.execPath, lint, { cwd, env });
    expect(stderr).toContain('Your API description is valid');
  });

  test('has the operations of the interface in order', () => {
    expect(operations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`)).toEqual(
      OPERATIONS.map(({ method, path, name }) => `${method.toLowerCase()} ${path} ${name}`),
    );
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  test('has Store and Pets as navigation groups without operations', () => {
    expect(document.tags).toMatchObject([
      { name: 'Store' },
      { name: 'Pets', 'x-parent': 'Store' },
      { name: 'animals', 'x-parent': 'Pets' },
    ]);
    expect(document['x-tagGroups']).toEqual([{ name: 'Store', tags: ['animals'] }]);
  });

  test('offers to try out every operation but the experimental list of orders', () => {
    const withoutTryOut = operations.filter(each => 'x-hideTryItPanel' in each).map(({ path }) => path);
    expect(withoutTryOut).toEqual(['/store/orders']);
  });

  test('has no default at a property of a body: generators would require the property', () => {
    const properties = Object.values<{ properties?: object }>(document.components.schemas).flatMap(schema =>
      Object.entries(schema.properties ?? {}),
    );
    expect(properties.filter(([, property]) => 'default' in property)).toEqual([]);
    expect(document.components.schemas.NewPet.properties.status['x-default']).toBe('available');
  });

  test('has patterns of visible ASCII, whose only escapes are those of ECMAScript, Java and Python alike', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => JSON.parse(text),
    );
    expect(patterns.length).toBeGreaterThan(3);
    const portable = /^(?:[ -[\]-~]|\\u[0-9A-F]{4}|\\[!-/:-@[-^{-~])*$/;
    expect(patterns.filter(pattern => !portable.test(pattern))).toEqual([]);
    // Some tools compile them without the flag u.
    for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow();
  });

  describe.each(OPERATIONS)('of $name', ({ name, stability, deprecation, scope, success, errors }) => {
    const documented = operation(name);
    const statuses = [success, ...errors.map(code => STATUS_BY_CODE[code]), ...COMMON_STATUSES];
    const unique = [...new Set(statuses)].toSorted((a, b) => a - b);

    test('says who may call it, and how stable it is', () => {
      expect(documented).toMatchObject({
        security: [{ bearer: [] }],
        tags: ['animals'],
        'x-required-scope': scope,
        'x-stability': stability,
      });
      expect([documented.deprecated, documented['x-deprecated-sunset']]).toEqual([
        deprecation && true,
        deprecation?.sunset,
      ]);
    });

    test('lists its statuses', () => {
      expect(Object.keys(documented.responses).map(Number)).toEqual(unique);
    });

    test('lists the headers of a deprecation only where they are sent', () => {
      const { responses } = documented as { responses: Record<string, { headers: object }> };
      const withSunset = unique.filter(status => 'Sunset' in (responses[status]?.headers ?? {}));
      const ofFunction = unique.filter(status => !GATEWAY_STATUSES.includes(status));
      expect(withSunset).toEqual(deprecation ? ofFunction : []);
    });
  });
});

const ajv = new Ajv2020({ strict: false, formats: { int64: true } }).addSchema(document, 'document');

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

describe('the pages of the document', () => {
  const { description } = document.info;
  const [introduction = ''] = description.split('\n# Authentication');
  const text = description.replaceAll(/\s+/g, ' ');

  test.each(SCOPE_NAMES)('the pages say what the scope %s allows', scope => {
    expect(description).toMatch(new RegExp(`^\\| \`${scope}\` \\| [a-z ,]+ \\|$`, 'm'));
  });

  test.each(Object.entries(STATUS_BY_CODE))(
    'the pages describe the error %s with its status %i',
    (code, status) => {
      expect(description).toContain(`| **${status}** \`${code}\` |`);
    },
  );

  test.each(OPERATIONS)(
    'the pages list $name, and say whether it is experimental, until when it works, and what to use instead',
    ({ method, path, stability, deprecation }) => {
      const name = `\`${method} ${path}\``;
      expect(introduction).toMatch(new RegExp(`^- [a-z ]+: ${name}`, 'm'));
      expect(text.includes(`${name} is experimental.`)).toBe(stability === 'experimental');
      expect(text.includes(`${name} is deprecated`)).toBe(deprecation !== undefined);
      if (!deprecation) return;
      const { sunset, successor } = deprecation;
      const day = new Date(sunset).toUTCString().slice(5, 7).replace(/^0/, '');
      expect(text).toContain(`${name} is deprecated and will be removed on **${day} `);
      expect(text).toContain(`**. Use \`${successor.method} ${successor.path}\``);
    },
  );
});
