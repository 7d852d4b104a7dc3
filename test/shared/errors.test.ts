import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listFaults } from '../../shared/errors.ts';

const Shape = z.object({
  name: z.string('must be a string').check(z.minLength(2, 'must be longer')),
  inner: z.object({ size: z.number('must be a number') }, 'must be an object'),
});

function faults(input: unknown): string {
  const { error } = z.safeParse(Shape, input);
  return listFaults(error?.issues ?? [], input);
}

describe('listFaults', () => {
  test('lists every fault once', () => {
    expect(faults({ name: 5, inner: { size: 'big' } })).toBe(
      'name must be a string; inner.size must be a number',
    );
  });

  test('reports a missing field as required', () => {
    expect(faults({ name: 'a' })).toBe('name must be longer; inner is required');
    expect(faults({ inner: {} })).toBe('name is required; inner.size is required');
  });

  test('reports null as a wrong type, not as missing', () => {
    expect(faults({ name: null, inner: null })).toBe('name must be a string; inner must be an object');
  });

  test('reports a field of something that is missing as required', () => {
    const { error } = z.safeParse(Shape, { name: 'ab', inner: {} });
    expect(listFaults(error?.issues ?? [], {})).toBe('inner.size is required');
    expect(listFaults(error?.issues ?? [], undefined)).toBe('inner.size is required');
  });

  test('lists equal messages once', () => {
    const Twice = z.string().check(z.minLength(2, 'is bad'), z.regex(/^a/, 'is bad'));
    const { error } = z.safeParse(z.object({ name: Twice }), { name: 'b' });
    expect(listFaults(error?.issues ?? [], { name: 'b' })).toBe('name is bad');
  });
});
