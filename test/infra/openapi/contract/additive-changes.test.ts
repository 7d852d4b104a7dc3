import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractChanges } from '../../../../infra/openapi/contract/contract-changes.ts';
import { type Contract, contractOf } from '../../../../infra/openapi/contract/contract-document.ts';
import { releasedContract } from '../../../../infra/openapi/contract/released-contract.ts';

/** A contract that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: the tests reach deep into a JSON document.
type Draft = any;

const released = releasedContract();

/** Each adds something under a name, or gives clients more room. */
const ADDITIONS: readonly ((draft: Draft, name: string) => void)[] = [
  (d, name) => Object.assign(d.paths, { [`/${name}`]: structuredClone(d.paths['/pets']) }),
  (d, name) =>
    Object.assign(d.paths['/pets/{petId}'], { trace: { operationId: name, responses: { 204: {} } } }),
  (d, name) => d.paths['/pets'].get.parameters.push({ in: 'query', name, schema: { type: 'string' } }),
  (d, name) =>
    Object.assign(d.components.schemas.NewPet.properties, { [name]: { type: 'string', maxLength: 5n } }),
  (d, name) => Object.assign(d.components.schemas.Pet.properties, { [name]: { type: 'string' } }),
  (d, name) => d.components.schemas.Pet.required.push(name),
  (d, name) => d.components.schemas.Error.properties.code['x-extensible-enum'].push(name),
  (d, name) => Object.assign(d.components.schemas, { [name]: { type: 'string' } }),
  (d, name) =>
    Object.assign(d.paths['/pets'].get.responses['200'].headers, { [`X-${name}`]: { schema: {} } }),
  (d, name) => Object.assign(d.paths['/pets'].get.responses['200'].content, { [`text/${name}`]: {} }),
  (d, name) => d.servers.push({ url: `https://${name}.example.com` }),
  (d, name) => Object.assign(d.paths['/store/orders'].get, { operationId: name, parameters: [] }),
  d =>
    Object.assign(d.paths['/pets'].get.responses, {
      409: structuredClone(d.paths['/pets'].post.responses[413]),
    }),
  d => Object.assign(d.paths['/pets'].get.parameters[0].schema, { maximum: 500n, minimum: 0n }),
  d => delete d.components.schemas.NewPet.properties.name.pattern,
  d => Object.assign(d.components.schemas.NewPet, { required: ['name'] }),
  d => Object.assign(d.components.schemas.Pet.properties.name, { maxLength: 255n }),
  d =>
    Object.assign(d.paths['/pets'].get, { 'x-stability': 'deprecated', 'x-deprecated-sunset': '2040-01-01' }),
  d => Object.assign(d.paths['/pets'].get, { security: [{ bearer: [] }, {}] }),
  d => Object.assign(d.info, { version: '1.7.2' }),
];

test('an unchanged contract passes', () => {
  expect(contractChanges(released, structuredClone(released), '2026-11-15')).toEqual([]);
});

test('each addition passes', () => {
  for (const add of ADDITIONS) {
    const draft = structuredClone(released);
    add(draft, 'bonus');
    expect(draft).not.toEqual(released);
    expect(contractChanges(released, draft, '2026-11-15')).toEqual([]);
  }
});

test('any number of additions passes, under any names', () => {
  const name = fc.stringMatching(/^[a-z]{6,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...ADDITIONS), name), { maxLength: 12 }), additions => {
      const draft: Draft = structuredClone(released);
      for (const [add, each] of additions) add(draft, each);
      expect(contractChanges(released, draft as Contract, '2026-11-15')).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('prose, examples and presentation are no part of the contract, whatever a property is called', () => {
  const schema = {
    description: 'An animal.',
    properties: { description: { type: 'string', description: 'Words.', examples: ['Big.'] } },
    default: { description: 'None.' },
  };
  const contract = contractOf({
    info: { version: '1.0.0', title: 'Petstore', description: 'A store of animals.' },
    tags: [{ name: 'animals' }],
    paths: { '/pets': { get: { summary: 'List animals', 'x-badges': [], 'x-stability': 'stable' } } },
    components: { schemas: { Pet: schema } },
  });
  expect(contract).toEqual({
    info: { version: '1.0.0' },
    paths: { '/pets': { get: { 'x-stability': 'stable' } } },
    components: {
      schemas: {
        Pet: { properties: { description: { type: 'string' } }, default: { description: 'None.' } },
      },
    },
  });
});
