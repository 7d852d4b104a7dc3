import { describe, expect, test } from 'vitest';
import {
  checksFunctionOf,
  deployCommandOf,
  environmentNameFault,
  operatorFunctionOf,
  stackNameOf,
} from '../../../infra/settings/environment-name.ts';

describe('the name of an environment', () => {
  test.each(['production', 'staging', 'sandbox', 'ada2'])('may be %s', name => {
    expect(environmentNameFault(name)).toBeUndefined();
  });

  test.each([
    ['prod', 'did you mean production?'],
    ['prodution', 'did you mean production?'],
    ['Staging', 'did you mean staging?'],
    ['stagng', 'did you mean staging?'],
    ['', '2–20 lowercase letters'],
    ['x', '2–20 lowercase letters'],
    ['2fast', 'start with a letter'],
    ['my-sandbox', '2–20 lowercase letters'],
    ['abcdefghijklmnopqrstu', '2–20 lowercase letters'],
  ])('may not be %j', (name, fault) => {
    expect(environmentNameFault(name)).toContain(fault);
  });
});

test('the names that an environment gives are its own', () => {
  expect([stackNameOf('production'), stackNameOf('sandbox')]).toEqual([
    'Petstore-Production',
    'Petstore-Sandbox',
  ]);
  expect(operatorFunctionOf('sandbox')).toBe('petstore-sandbox-operator');
  expect(checksFunctionOf('sandbox')).toBe('petstore-sandbox-checks');
  expect(deployCommandOf('staging')).toBe('npx cdk deploy Petstore-Staging');
  expect(deployCommandOf('sandbox')).toBe('npx cdk deploy Petstore-Sandbox -c environment=sandbox');
});
