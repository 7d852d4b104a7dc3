import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { banner, jsonLine, pathToShow } from '../../../infra/start/banner.ts';

const SERVICE = {
  environments: {
    production: { url: 'http://127.0.0.1:3000/production/v1', apiKey: 'pet_live_1' },
    staging: { url: 'http://127.0.0.1:3000/staging/v1', apiKey: 'pet_test_2' },
  },
  awsEndpoint: 'http://127.0.0.1:4000',
  awsCredentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
  dns: '127.0.0.1:5300',
  edge: { https: '127.0.0.1:4430', ca: '.local/ca.pem' },
  dashboard: 'http://0a1b.localhost:3001/#token=secret',
  dashboardFallback: 'http://127.0.0.1:3001/#token=other',
};

test('--json prints one line with the environments by name, the AWS endpoint and the dashboard', () => {
  expect(jsonLine(SERVICE)).not.toContain('\n');
  expect(JSON.parse(jsonLine(SERVICE))).toEqual({
    ...SERVICE.environments,
    awsCredentials: SERVICE.awsCredentials,
    awsEndpoint: SERVICE.awsEndpoint,
    dns: SERVICE.dns,
    edge: SERVICE.edge,
    dashboard: SERVICE.dashboard,
    dashboardFallback: SERVICE.dashboardFallback,
  });
});

test('the banner has every URL and key, and the folders of data and logs', () => {
  const text = banner(SERVICE, { data: resolve('.local'), engine: 'Dynoxide', logs: resolve('.local/logs') });
  for (const { url, apiKey } of Object.values(SERVICE.environments)) {
    expect(text).toContain(url);
    expect(text).toContain(apiKey);
  }
  expect(text).toMatch(/Dashboard +http:\/\/0a1b\.localhost:3001\/#token=secret\n/);
  expect(text).toMatch(/Reference +http:\/\/127\.0\.0\.1:3000\/staging\/v1\/docs\n/);
  expect(text).toMatch(
    /used the port before could take over .*\n\n +http:\/\/127\.0\.0\.1:3001\/#token=other\n/,
  );
  expect(text).toMatch(/AWS endpoint +http:\/\/127\.0\.0\.1:4000\n/);
  expect(text).toMatch(
    /AWS CLI +export AWS_ENDPOINT_URL=.* AWS_ACCESS_KEY_ID=AKIAEXAMPLE AWS_SECRET_ACCESS_KEY=example\n/,
  );
  expect(text).toMatch(/DNS server +127\.0\.0\.1:5300\n/);
  expect(text).toMatch(/HTTPS edge +127\.0\.0\.1:4430,.*\.local\/ca\.pem\n/);
  expect(text).toMatch(/DynamoDB +Dynoxide\n/);
  expect(text).toMatch(/Data +\.local\n/);
  expect(text).toMatch(/Logs +\.local\/logs\n/);
});

test('the banner says that a service without a data folder keeps nothing', () => {
  const text = banner(SERVICE, { data: undefined, engine: 'Dynoxide', logs: '/var/tmp/petstore/logs' });
  expect(text).toMatch(/Data +in memory, lost when it stops\n/);
  expect(text).toMatch(/Logs +\/var\/tmp\/petstore\/logs\n/);
});

test('a path below the current folder is relative, and any other one absolute', () => {
  expect(pathToShow(resolve('.local/logs'))).toBe(join('.local', 'logs'));
  expect(pathToShow(resolve('..local'))).toBe('..local');
  expect(pathToShow(resolve('.'))).toBe('.');
  expect(pathToShow('/var/tmp/petstore/logs')).toBe('/var/tmp/petstore/logs');
  expect(pathToShow(resolve('..'))).toBe(resolve('..'));
});
