import { expect, test } from 'vitest';
import { OPERATION_PATHS, OPERATIONS, operationAt, requestLine } from '../../shared/operations.ts';

test('every operation has a name and a route of its own', () => {
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length);
  expect(new Set(OPERATIONS.map(requestLine)).size).toBe(OPERATIONS.length);
});

test('a path allows the methods of its operations, HEAD with GET, and OPTIONS', () => {
  expect(OPERATION_PATHS.find(({ path }) => path === '/pets')).toEqual({
    path: '/pets',
    allow: 'GET, HEAD, OPTIONS, POST',
    methods: 'GET, HEAD, POST',
    requestHeaders: 'Authorization, Content-Type, Idempotency-Key',
  });
});

test('an operation is found by its method and path, HEAD as GET', () => {
  expect(operationAt('POST', '/pets')?.name).toBe('createPet');
  expect(operationAt('HEAD', '/pets')?.name).toBe('listPets');
  expect(operationAt('PATCH', '/pets')).toBeUndefined();
  expect(operationAt('GET', '/docs')).toBeUndefined();
});
