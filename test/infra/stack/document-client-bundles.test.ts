import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assetOf, FUNCTIONS } from './function-assets.ts';
import { operationFunctions, templateOf } from './templates.ts';

/** Texts of error messages, which minifying keeps: each is in one package and nowhere else. */
const LIB_DYNAMODB = 'is not compatible with the DynamoDBDocumentClient';
const UTIL_DYNAMODB = 'Pass options.removeUndefinedValues=true';

/** The hot path and the functions without a table: the HTTP operations and their authorizer. */
const WITHOUT = [...FUNCTIONS.keys()].filter(name => /^(Pets|Orders|ApiKeysAuthorize|Docs)/.test(name));
const WITH = [...FUNCTIONS.keys()].filter(name => !WITHOUT.includes(name));

const bundleOf = (name: string) => readFileSync(join(assetOf(name), 'index.cjs'), 'utf8');

describe('the document client', () => {
  test('is left out for every operation with a table, and for the authorizer', () => {
    const operations = operationFunctions(templateOf('Petstore-Staging'));
    expect(WITHOUT).toEqual(expect.arrayContaining(['ApiKeysAuthorizeFunction', ...operations]));
  });

  test.each(WITHOUT)('is not in the bundle of %s, where every byte delays a request', name => {
    const bundle = bundleOf(name);
    expect(bundle).not.toContain(LIB_DYNAMODB);
    expect(bundle).not.toContain(UTIL_DYNAMODB);
  });

  test.each(WITH)('is in the bundle of %s', name => {
    const bundle = bundleOf(name);
    expect(bundle).toContain(LIB_DYNAMODB);
    expect(bundle).toContain(UTIL_DYNAMODB);
  });
});
