import { expect, test } from 'vitest';
import { busyMachine, readOptions, UsageError } from '../../../infra/start/options.ts';

const DEFAULTS = {
  port: 3000,
  memory: false,
  json: false,
  watch: false,
  waitScale: 1,
  patience: 1,
  engine: undefined,
  dynamodb: undefined,
  awsPort: 0,
  help: false,
};

test.each([
  ['nothing', [], {}],
  ['--port', ['--port', '0'], { port: 0 }],
  ['--port=', ['--port=65535'], { port: 65_535 }],
  ['--memory', ['--memory'], { memory: true }],
  ['--json', ['--json'], { json: true }],
  ['--watch', ['--watch'], { watch: true }],
  ['--dynamodb', ['--dynamodb', 'http://127.0.0.1:8000'], { dynamodb: 'http://127.0.0.1:8000' }],
  ['--engine', ['--engine', 'dynamodb-local'], { engine: 'dynamodb-local' }],
  ['--wait-scale', ['--wait-scale', '0.01'], { waitScale: 0.01 }],
  ['--certificate-minutes', ['--certificate-minutes', '1.5'], { certificateMinutes: 1.5 }],
  ['--patience', ['--patience', '20'], { patience: 20 }],
  ['--aws-port', ['--aws-port', '4566'], { awsPort: 4566 }],
  ['--help', ['--help'], { help: true }],
  ['-h', ['-h'], { help: true }],
  ['several', ['--json', '--memory', '--port', '8080'], { json: true, memory: true, port: 8080 }],
])('reads %s', (_title, args, options) => {
  expect(readOptions(args, {})).toEqual({ ...DEFAULTS, ...options });
});

test.each([
  ['npm start --json', { npm_config_json: 'true' }, [], { json: true }],
  ['npm start --wait-scale 0.01', { npm_config_wait_scale: 'true' }, ['0.01'], { waitScale: 0.01 }],
  ['npm start --port=8080', { npm_config_port: '8080' }, [], { port: 8080 }],
  ['npm start --port 8080', { npm_config_port: 'true' }, ['8080'], { port: 8080 }],
  [
    'npm start --memory --watch',
    { npm_config_memory: 'true', npm_config_watch: 'true' },
    [],
    { memory: true, watch: true },
  ],
  ['npm start --no-memory', { npm_config_memory: '' }, [], {}],
  ['npm start --port=1 -- --port 2', { npm_config_port: '1' }, ['--port', '2'], { port: 2 }],
  [
    'npm start --port 1 --dynamodb http://there',
    { npm_config_port: 'true', npm_config_dynamodb: 'true' },
    ['1', 'http://there'],
    { port: 1, dynamodb: 'http://there' },
  ],
])('%s works without the -- that npm wants', (_command, environment, args, options) => {
  expect(readOptions(args, environment)).toEqual({ ...DEFAULTS, ...options });
});

test.each([
  ['--port', ['--port', '65536'], {}],
  ['--port', ['--port=-1'], {}],
  ['--port', ['--port', 'http'], {}],
  ['--port', ['--port', ''], {}],
  ['--port', ['--port', '1e3'], {}],
  ['--port', ['--port'], {}],
  ['--port', ['--port', '-1'], {}],
  ['--wait-scale', ['--wait-scale', '--json'], {}],
  ['--port', [], { npm_config_port: 'many' }],
  ['--certificate-minutes', ['--certificate-minutes', '0'], {}],
  ['--engine', ['--engine', 'java'], {}],
  ['--engine', [], { PETSTORE_ENGINE: 'java' }],
  ['--dynamodb', ['--dynamodb', 'localhost:8000'], {}],
  ['--dynamodb', ['--dynamodb', 'file:///tmp'], {}],
  ['--dynamodb', ['--dynamodb', ''], {}],
  ['--prot', ['--prot', '3000'], {}],
  ['--memory', ['--memory=yes'], {}],
  ['-x', ['-x'], {}],
  ['3000', ['3000'], {}],
])('one line names %s when it is wrong: %j %j', (name, args, environment) => {
  const read = () => readOptions(args, environment);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(name);
  expect(read).not.toThrow('\n');
});

test('patience gives functions longer deadlines for calls of AWS; without it they have those of the template', () => {
  expect(busyMachine(1)).toEqual({});
  expect(busyMachine(20)).toEqual({
    patience: 20,
    functionVariables: { DYNAMODB_DEADLINE_MS: '46000', CONTROL_PLANE_DEADLINE_MS: '300000' },
  });
});
