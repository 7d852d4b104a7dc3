import { describe, expect, test } from 'vitest';
import { RUN_COMPLETED } from '../../../../../shared/log.ts';
import {
  ACCESS,
  AUTHORIZE,
  accessLine,
  CREATE_PET,
  functionLine,
  servedEnvironment,
} from './environment-logs.ts';

async function written() {
  const logs = await servedEnvironment();
  await logs.write(ACCESS, accessLine({ keyId: 'key_1' }));
  await logs.write(CREATE_PET, functionLine({ message: 'name is required', code: 'invalid_request' }));
  await logs.write(AUTHORIZE, 'not JSON');
  return logs;
}

describe('petstore logs', () => {
  test('0: prints the lines of all groups', async () => {
    const logs = await written();
    const refused = { status: '401', keyId: 'key_2', keyRefusal: 'expired', gatewayError: 'ACCESS_DENIED' };
    await logs.write(ACCESS, accessLine(refused));
    const { stdout, exitCode } = await logs.run('logs');
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n').map(line => line.slice('2026-11-15 12:00:00.000  '.length));
    expect(lines.toSorted()).toEqual([
      '',
      'api-keys-authorize  not JSON',
      'pets-create-pet  INFO name is required  {"code":"invalid_request"}',
      'public-api-access  201  POST /v1/pets  createPet  34 ms  key_1  JKJaXmPLvHcESHA=',
      'public-api-access  401  POST /v1/pets  createPet  34 ms  key_2  expired  ACCESS_DENIED  JKJaXmPLvHcESHA=',
    ]);
  });

  test('0: --json prints an object per line', async () => {
    const logs = await written();
    const { stdout } = await logs.run('logs --json --group create-pet');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual([
      {
        time: expect.stringMatching(/Z$/),
        group: 'pets-create-pet',
        message: expect.objectContaining({ message: 'name is required' }),
      },
    ]);
  });

  test.each([
    [['--group', 'createPet', 'authorize'], 2],
    [['--group', 'access'], 1],
    [['--group', ACCESS], 1],
    [['--filter', '{ $.level = "INFO" }'], 1],
    [['--filter', '{ $.level = "ERROR" }'], 0],
  ])('0: %s shows %i lines', async (options, count) => {
    const logs = await written();
    const { stdout, exitCode } = await logs.run(['logs', ...options]);
    expect([stdout.split('\n').filter(Boolean).length, exitCode]).toEqual([count, 0]);
  });

  test('0: says that nothing was logged', async () => {
    const logs = await servedEnvironment();
    const { stdout, stderr } = await logs.run('logs --since 1h');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^staging has logged nothing since .* UTC\.\n$/);
  });

  describe('the end of a scheduled run', () => {
    const RUN = functionLine({ message: RUN_COMPLETED, stuck: 0 });
    const HINT = 'Not shown: 2 completed runs of scheduled functions (--all).\n';

    test('0: is not shown, and is counted', async () => {
      const logs = await written();
      await logs.write(CREATE_PET, RUN, RUN);
      for (const [hint, ...options] of [[HINT], ['', '--json']]) {
        const { stdout, stderr } = await logs.run(['logs', ...options]);
        expect([stdout.split('\n').filter(Boolean).length, stderr]).toEqual([3, hint]);
        expect(stdout).not.toContain('scheduled run');
      }
    });

    test.each([['--all'], ['--group', 'create-pet'], ['--filter', '{ $.stuck = 0 }']])(
      '0: is shown with %s',
      async (...options) => {
        const logs = await servedEnvironment();
        await logs.write(CREATE_PET, RUN, RUN);
        const { stdout, stderr } = await logs.run(['logs', ...options]);
        expect(stdout.match(/The scheduled run is complete\./g)).toHaveLength(2);
        expect(stderr).toBe('');
      },
    );

    test('0: alone it counts as nothing', async () => {
      const logs = await servedEnvironment();
      await logs.write(CREATE_PET, RUN, RUN);
      const { stdout, stderr } = await logs.run('logs');
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^staging has logged nothing but completed runs since .* UTC\.\n/);
      expect(stderr).toContain(HINT);
    });
  });

  test('0: shows no secret', async () => {
    const logs = await servedEnvironment();
    const key = `pet_live_${'a1B2'.repeat(8)}Zz`;
    await logs.write(AUTHORIZE, `got ${key}`, functionLine({ message: 'x', header: `Bearer ${key}` }));
    for (const more of ['', ' --json']) {
      const { stdout } = await logs.run(`logs${more}`);
      expect(stdout).toContain('(an API key)');
      expect(stdout).not.toContain('a1B2');
    }
  });

  test('1: the pattern is not one of CloudWatch Logs', async () => {
    const logs = await written();
    expect(await logs.run(['logs', '--filter', '{ level = ERROR }'])).toMatchObject({
      stderr: expect.stringContaining('Invalid filter pattern'),
      exitCode: 1,
    });
  });

  test('2: there is no such group', async () => {
    const logs = await written();
    expect(await logs.run('logs --group create-dog')).toMatchObject({
      stderr: expect.stringContaining('There are no logs named "create-dog".'),
      exitCode: 2,
    });
  });
});
