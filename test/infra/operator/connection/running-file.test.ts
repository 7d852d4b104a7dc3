import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../infra/local/testing/temporary-folder.ts';
import {
  findRunning,
  recordRunning,
  recordStopped,
} from '../../../../infra/operator/connection/running-file.ts';

const SERVICE = {
  awsEndpoint: 'http://127.0.0.1:4000',
  awsCredentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
  baseUrls: { staging: 'http://127.0.0.1:3000/staging/v1' },
  edge: { https: '127.0.0.1:8443', ca: '/data/ca.pem' },
  pid: process.pid,
};

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), '.local', 'running.json');
  vi.stubEnv('PETSTORE_RUNNING_FILE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const start = () =>
  recordRunning({ ...SERVICE, environments: { staging: { url: SERVICE.baseUrls.staging } } });

test('a service is found while it runs', () => {
  expect(findRunning()).toBeUndefined();
  start();
  expect(findRunning()).toEqual(SERVICE);
  // It has the access key.
  expect([file, dirname(file)].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  recordStopped();
  expect(findRunning()).toBeUndefined();
});

test('a service that stops leaves the file of another service', () => {
  start();
  const other = JSON.stringify({ ...SERVICE, pid: process.ppid });
  writeFileSync(file, other);
  recordStopped();
  expect(readFileSync(file, 'utf8')).toBe(other);
});

test('a service that was killed is not found', () => {
  start();
  // Above the highest process id of Linux, 2^22.
  writeFileSync(file, JSON.stringify({ ...SERVICE, pid: 2 ** 30 }));
  expect(findRunning()).toBeUndefined();
});

test('a file that is not JSON is ignored', () => {
  start();
  writeFileSync(file, '{');
  expect(findRunning()).toBeUndefined();
});
