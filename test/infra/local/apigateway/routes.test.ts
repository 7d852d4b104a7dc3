import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredResources } from '../../../../infra/local/apigateway/declared-resources.ts';
import { findMethod, findRoute, routeNodes } from '../../../../infra/local/apigateway/routes.ts';
import { API_ID, path } from './served-api.ts';

type Tree = Record<string, readonly [parent: string, pathPart: string]>;

/** A tree in which every resource named here has the method ANY, except those listed as empty. */
function tree(resources: Tree, empty: readonly string[] = ['root']) {
  const declared = declaredResources(
    Object.entries(resources).map(([id, [parent, part]]) => path(id, parent, part)),
  );
  const nodes = routeNodes<string>(API_ID, declared.resources);
  for (const [id, node] of nodes) {
    if (!empty.includes(id) && !(id === `${API_ID}-root` && empty.includes('root')))
      node.methods.set('ANY', id);
  }
  const root = nodes.get(`${API_ID}-root`);
  if (root === undefined) throw new Error('no root');
  return (...segments: string[]) => {
    const route = findRoute(root, segments);
    return route && { id: route.node.resourceId, ...Object.fromEntries(route.pathParameters) };
  };
}

describe('which resource serves a path', () => {
  const find = tree(
    {
      v1: ['root', 'v1'],
      pets: ['v1', 'pets'],
      pet: ['pets', '{petId}'],
      mine: ['pets', 'mine'],
      toys: ['mine', 'toys'],
      rest: ['root', '{path+}'],
    },
    ['root', 'v1'],
  );

  test('a literal goes before a parameter', () => {
    expect(find('v1', 'pets', 'mine')).toEqual({ id: 'mine' });
    expect(find('v1', 'pets', '7')).toEqual({ id: 'pet', petId: '7' });
  });

  test('a path that leads nowhere falls back to a less specific match', () => {
    expect(find('v1', 'pets', 'mine', 'food')).toEqual({ id: 'rest', path: 'v1/pets/mine/food' });
    expect(find('v1', 'pets', '7', 'toys')).toEqual({ id: 'rest', path: 'v1/pets/7/toys' });
  });

  test('a resource without methods serves nothing', () => {
    expect(find('v1')).toEqual({ id: 'rest', path: 'v1' });
    expect(find()).toBeUndefined();
  });

  test('an empty segment is no parameter', () => {
    expect(find('v1', 'pets', '')).toEqual({ id: 'rest', path: 'v1/pets/' });
  });

  test('a parameter goes before the greedy one beside it', () => {
    const siblings = tree({ one: ['root', '{one}'], all: ['root', '{all+}'] });
    expect(siblings('a')).toEqual({ id: 'one', one: 'a' });
    expect(siblings('a', 'b')).toEqual({ id: 'all', all: 'a/b' });
  });

  test('a branch of a parameter is tried when the literal branch fails', () => {
    const branches = tree({ a: ['root', 'a'], ax: ['a', 'x'], p: ['root', '{p}'], py: ['p', 'y'] });
    expect(branches('a', 'y')).toEqual({ id: 'py', p: 'a' });
  });

  test('a root {proxy+} serves every path but the root', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), segments => {
        expect(find(...segments)).toBeDefined();
      }),
    );
  });

  test('every resource is found by its own path with any values for its parameters', () => {
    const value = fc.string({ minLength: 1 }).filter(text => text !== 'mine');
    fc.assert(
      fc.property(value, petId => {
        expect(find('v1', 'pets', petId)).toEqual({ id: 'pet', petId });
      }),
    );
  });

  test('resources may be declared in any order', () => {
    const reversed = tree({ pet: ['pets', '{petId}'], pets: ['v1', 'pets'], v1: ['root', 'v1'] });
    expect(reversed('v1', 'pets', '7')).toEqual({ id: 'pet', petId: '7' });
  });

  test('refuses a parent that is not there', () => {
    expect(() => tree({ pets: ['nowhere', 'pets'] })).toThrow(
      'Petstore-Test/pets (AWS::ApiGateway::Resource): its parent resource is not in the same API',
    );
  });

  test('refuses two resources of one path', () => {
    expect(() => tree({ a: ['root', 'pets'], b: ['root', 'pets'] })).toThrow(/Petstore-Test\/b .* like pets/);
    expect(() => tree({ a: ['root', '{x}'], b: ['root', '{y}'] })).toThrow(/Petstore-Test\/b .* like \{y\}/);
  });
});

describe('which method serves a request', () => {
  const node = routeNodes<string>(API_ID, []).get(`${API_ID}-root`);
  if (node === undefined) throw new Error('no root');
  node.methods.set('GET', 'get').set('ANY', 'any');

  test.each([
    ['GET', 'get'],
    ['DELETE', 'any'],
    ['TRACE', undefined],
  ])('%s is served by %s', (httpMethod, expected) => {
    expect(findMethod(node, httpMethod)).toBe(expected);
  });
});
