import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredResources } from '../../apigateway/declared-resources.ts';
import { type ApiMethod, findMethod, findRoute, routeNodes } from '../../apigateway/routes.ts';
import { API_ID, path } from '../../testing/served-api.ts';

/** Routes only carry the method along. */
const method = () => ({}) as ApiMethod;

type Tree = Record<string, readonly [parent: string, pathPart: string]>;

/** A tree of resources with the method ANY, except for those listed as empty. */
function tree(resources: Tree, empty: readonly string[] = ['root']) {
  const declared = declaredResources(
    Object.entries(resources).map(([id, [parent, part]]) => path(id, parent, part)),
  );
  const nodes = routeNodes(API_ID, declared.resources);
  for (const [id, node] of nodes) {
    if (!empty.includes(id) && !(id === `${API_ID}-root` && empty.includes('root')))
      node.methods.set('ANY', method());
  }
  const root = nodes.get(`${API_ID}-root`);
  if (root === undefined) throw new Error('no root');
  return (...segments: string[]) => {
    const route = findRoute(root, segments);
    return route && { id: route.node.resourceId, ...Object.fromEntries(route.pathParameters) };
  };
}

describe('the resource for a path', () => {
  const find = tree(
    {
      v1: ['root', 'v1'],
      pets: ['v1', 'pets'],
      pet: ['pets', '{petId}'],
      mine: ['pets', 'mine'],
      toys: ['mine', 'toys'],
      food: ['pet', '{food+}'],
      rest: ['root', '{path+}'],
    },
    ['root', 'v1'],
  );

  test('is the literal before the parameter', () => {
    expect(find('v1', 'pets', 'mine')).toEqual({ id: 'mine' });
    expect(find('v1', 'pets', '7')).toEqual({ id: 'pet', petId: '7' });
  });

  test('is a less specific one if the more specific one has no match or no methods', () => {
    expect(find('v1', 'pets', 'mine', 'food')).toEqual({ id: 'food', petId: 'mine', food: 'food' });
    expect(find('v1', 'dogs')).toEqual({ id: 'rest', path: 'v1/dogs' });
    expect(find('v1')).toEqual({ id: 'rest', path: 'v1' });
    expect(find()).toBeUndefined();
    const branches = tree({ a: ['root', 'a'], ax: ['a', 'x'], p: ['root', '{p}'], py: ['p', 'y'] });
    expect(branches('a', 'y')).toEqual({ id: 'py', p: 'a' });
    expect(branches('a', 'z')).toBeUndefined();
  });

  test('does not take an empty segment for a parameter', () => {
    expect(find('v1', 'pets', '')).toEqual({ id: 'rest', path: 'v1/pets/' });
    expect(find('v1', 'pets', '7', '')).toEqual({ id: 'food', petId: '7', food: '' });
  });

  test('is the {proxy+} of a resource for every path below it that no sibling begins', () => {
    const segment = fc.string().filter(text => text !== 'v1');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), segments => {
        expect(find(...segments)).toEqual({ id: 'rest', path: segments.join('/') });
      }),
    );
  });

  test('is found by the path of each resource with any values for the parameters', () => {
    const value = fc.string({ minLength: 1 }).filter(text => text !== 'mine');
    fc.assert(
      fc.property(value, petId => {
        expect(find('v1', 'pets', petId)).toEqual({ id: 'pet', petId });
      }),
    );
  });

  test('is the same for any order of the declarations', () => {
    const reversed = tree({ pet: ['pets', '{petId}'], pets: ['v1', 'pets'], v1: ['root', 'v1'] });
    expect(reversed('v1', 'pets', '7')).toEqual({ id: 'pet', petId: '7' });
  });

  test('cannot have a parent that does not exist', () => {
    expect(() => tree({ pets: ['nowhere', 'pets'] })).toThrow(
      'Petstore-Test, pets (AWS::ApiGateway::Resource): its parent resource is not in the same API',
    );
  });

  test('cannot be a child of one that matches all that follows', () => {
    expect(() => tree({ all: ['root', '{all+}'], more: ['all', 'more'] })).toThrow(
      'Petstore-Test, more (AWS::ApiGateway::Resource): it is a child of /{all+}',
    );
  });

  test('cannot be declared twice', () => {
    expect(() => tree({ a: ['root', 'pets'], b: ['root', 'pets'] })).toThrow(/Petstore-Test, b .* like pets/);
    expect(() => tree({ a: ['root', '{x}'], b: ['root', '{y}'] })).toThrow(/Petstore-Test, b .* like \{y\}/);
    expect(() => tree({ a: ['root', '{x}'], b: ['root', '{y+}'] })).toThrow(
      /Petstore-Test, b .* like \{y\+\}/,
    );
  });
});

describe('the method for a request', () => {
  const node = routeNodes(API_ID, []).get(`${API_ID}-root`);
  if (node === undefined) throw new Error('no root');
  const get = method();
  const any = method();
  node.methods.set('GET', get).set('ANY', any);

  test.each([
    ['GET', 'its own method', get],
    ['DELETE', 'ANY', any],
    ['TRACE', 'no method', undefined],
  ])('%s is served by %s', (httpMethod, _, expected) => {
    expect(findMethod(node, httpMethod)).toBe(expected);
  });
});
