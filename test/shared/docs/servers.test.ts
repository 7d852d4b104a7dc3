import { expect, test } from 'vitest';
import { serversAt } from '../../../shared/docs/servers.ts';

const PRODUCTION = 'Production: use an API key that starts with pet_live_';
const STAGING = 'Staging: use an API key that starts with pet_test_';
const BOTH = ['production', 'staging'];

test('on AWS there is the called URL alone', () => {
  const url = 'https://abcdefghij.execute-api.eu-west-1.amazonaws.com/staging/v1';
  expect(serversAt(url, { stage: 'staging', stagesOfHost: ['staging'] })).toEqual([
    { url, description: STAGING },
  ]);
});

test('a host of several stages has the called URL first', () => {
  expect(serversAt('http://127.0.0.1:3000/staging/v1', { stage: 'staging', stagesOfHost: BOTH })).toEqual([
    { url: 'http://127.0.0.1:3000/staging/v1', description: STAGING },
    { url: 'http://127.0.0.1:3000/production/v1', description: PRODUCTION },
  ]);
});

test('a custom domain has one stage', () => {
  const url = 'https://pets.example.com/v1';
  expect(serversAt(url, { stage: 'production', stagesOfHost: BOTH })).toEqual([
    { url, description: PRODUCTION },
  ]);
});

test('a personal environment has keys like those of staging', () => {
  const [server] = serversAt('https://api.example.com/dora/v1', { stage: 'dora', stagesOfHost: ['dora'] });
  expect(server?.description).toBe('Dora: use an API key that starts with pet_test_');
});
