import { expect, test } from 'vitest';
import { empty, json } from '../../../shared/http/answer.ts';

test('json answers with the body as JSON and its media type', () => {
  expect(json(201, { id: 2n ** 63n - 1n }, { Location: '/pets/1' })).toEqual({
    statusCode: 201,
    headers: { 'Content-Type': 'application/json', Location: '/pets/1' },
    body: '{"id":9223372036854775807}',
  });
});

test('empty answers without a body and without a media type', () => {
  expect(empty(204)).toEqual({ statusCode: 204, headers: {}, body: '' });
  expect(empty(204, { 'Cache-Control': 'private' })).toEqual({
    statusCode: 204,
    headers: { 'Cache-Control': 'private' },
    body: '',
  });
});

test('empty copies the headers, which the pipeline adds to', () => {
  const headers = {};
  empty(204, headers).headers['X-Request-Id'] = 'one';
  expect(headers).toEqual({});
});
