import { afterEach, expect, test, vi } from 'vitest';
import { describeError, log } from '../../shared/log.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(['info', 'warn', 'error'] as const)('%s writes one JSON object in one line', level => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  log[level]('It\nrains.', { requestId: 'r1' });
  const [[line]] = write.mock.calls as [[string]];
  expect(line).toMatch(/^[^\n]*\n$/);
  expect(JSON.parse(line)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: level.toUpperCase(),
    message: 'It\nrains.',
    requestId: 'r1',
  });
});

test('an error is described with its causes', () => {
  const error = new TypeError('outer', { cause: new Error('middle', { cause: 'root' }) });
  expect(describeError(error)).toEqual({
    name: 'TypeError',
    message: 'outer',
    stack: error.stack,
    cause: { name: 'Error', message: 'middle', stack: expect.any(String), cause: { message: 'root' } },
  });
});

test.each([undefined, null, 5, 'text'])('%j thrown is described too', thrown => {
  expect(describeError(thrown)).toEqual({ message: String(thrown) });
});
