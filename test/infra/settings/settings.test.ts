import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings, SETTING_NAMES, SettingsError } from '../../../infra/settings/settings.ts';
import { deployedEnvironments, environmentNamed } from '../../../infra/stack/environments.ts';

/** A folder with these settings files, by environment. */
function settingsFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, `${name}.json`), text);
  }
  return folder;
}

/** The message with which an environment's settings are refused, without the folder. */
function refusal(settings: unknown): string {
  const folder = settingsFolder({ staging: settings });
  try {
    readSettings(folder, 'staging');
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message.replace(`${folder}/`, '');
  }
  throw new Error('The settings were accepted.');
}

const README = readFileSync(resolve(import.meta.dirname, '../../../infra/settings/README.md'), 'utf8');

describe('settings', () => {
  test('are empty without a file', () => {
    expect(readSettings(settingsFolder({}), 'staging')).toEqual({});
  });

  test('are what the file of the environment says, defaults apart', () => {
    const staging = {
      account: '111122223333',
      region: 'eu-central-1',
      bootstrapQualifier: 'zooprod',
      platformDomain: 'apps.zoo.dev',
      managedZoneIds: ['Z0123456789ABCDEFGHIJ'],
      throttle: { ratePerSecond: 50, burst: 100 },
      throttlePerKey: { ratePerSecond: 5, burst: 10 },
      browserOrigins: ['https://app.zoo.dev', 'http://localhost:5173', 'http://[::1]:8080'],
      hstsMaxAge: 0,
      petShards: 16,
      alarmAddress: 'ops@zoo.dev',
      ticketAddress: 'desk@zoo.dev',
      domainEventsAddress: 'domains@zoo.dev',
      monthlyBudget: 250,
      concurrencyQuota: 10,
      tracing: true,
      webAclArn: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/zoo/0a1b2c3d',
      restoredTables: { pets: 'pets-of-monday' },
      gatewayLogRole: false,
      protected: true,
      logRetentionDays: 7,
    };
    const [production, own] = deployedEnvironments(settingsFolder({ staging }));
    const { account, region, logRetentionDays, gatewayLogRole, ...others } = staging;
    const { alarmAddress, ticketAddress, monthlyBudget, ...same } = others;
    expect(own).toEqual({
      ...environmentNamed('staging'),
      ...same,
      pinned: { account, region },
      alarms: { pages: alarmAddress, tickets: ticketAddress, monthlyBudget },
      logRetention: logRetentionDays,
      setsGatewayLogRole: gatewayLogRole,
    });
    expect(production).toEqual(environmentNamed('production'));
  });

  test('of the README are accepted', () => {
    const [, example = ''] = /```json\n([\s\S]+?)```/.exec(README) ?? [];
    const folder = settingsFolder({ production: example });
    expect(Object.keys(readSettings(folder, 'production'))).not.toEqual([]);
    const owners = deployedEnvironments(folder).filter(({ setsGatewayLogRole }) => setsGatewayLogRole);
    expect(owners.map(({ stage }) => stage)).toEqual(['production', 'staging']);
  });

  test('are all in the README', () => {
    const explained = [...README.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(explained.toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  test.each<[settings: unknown, fault: string]>([
    [{ platformdomain: 'apps.zoo.dev' }, 'there is no setting platformdomain (did you mean platformDomain?)'],
    [{ alarms: 'ops@zoo.dev' }, 'there is no setting alarms'],
    [{ throttle: { ratePerSecond: 1, burst: 1, brust: 2 } }, 'there is no setting throttle.brust (did you'],
    [
      { account: 111122223333 },
      'account must be the 12 digits of an AWS account, in quotes, not 111122223333',
    ],
    [{ region: 'eu-central-9' }, 'region must be an AWS region such as "eu-central-1", not "eu-central-9"'],
    [{ managedZoneIds: 'Z1' }, 'managedZoneIds must be a list of ids, not "Z1"'],
    [{ managedZoneIds: ['Z1', 'zoo.dev'] }, 'managedZoneIds.1 must be the ID of a hosted zone'],
    [{ throttle: { ratePerSecond: 10 } }, 'throttle.burst is missing'],
    [{ throttle: 10 }, 'throttle must be an object, not 10'],
    [
      { throttlePerKey: { ratePerSecond: 0, burst: 1 } },
      'throttlePerKey.ratePerSecond must be a whole number',
    ],
    ...[0, 17, -1, 1.5, 'two', null].map((petShards): [unknown, string] => [
      { petShards },
      `petShards must be a whole number from 1 to 16, not ${JSON.stringify(petShards)}`,
    ]),
    [
      { monthlyBudget: 0, alarmAddress: 'ops@zoo.dev' },
      'monthlyBudget must be a whole number of US dollars, not 0',
    ],
    [
      { monthlyBudget: 250, alarmAddress: 'ops@zoo.dev', region: 'cn-north-1' },
      'monthlyBudget is in US dollars, but AWS bills the regions in China in yuan',
    ],
    [
      { ticketAddress: 'desk@zoo.dev' },
      'ticketAddress and monthlyBudget need an alarmAddress: without one there are no alarms',
    ],
    [{ alarmAddress: 'ops at zoo' }, 'alarmAddress must be an email address, not "ops at zoo"'],
    [{ ticketAddress: 7 }, 'ticketAddress must be an email address, not 7'],
    [{ domainEventsAddress: 7 }, 'domainEventsAddress must be an email address, not 7'],
    [{ concurrencyQuota: 0 }, 'concurrencyQuota must be the number of concurrent executions'],
    [{ bootstrapQualifier: 'Pet-Prod' }, 'bootstrapQualifier must be 1 to 10 small letters and digits'],
    [{ tracing: 'on' }, 'tracing must be true or false, not "on"'],
    [
      { webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/zoo/0a1b2c3d' },
      'webAclArn must be the ARN of a regional web ACL',
    ],
    [
      { region: 'eu-central-1', webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/zoo/0a' },
      'webAclArn must be of the region of the environment, eu-central-1, not "arn:aws:wafv2:us-east-1:',
    ],
    [
      { account: '999999999999', webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/zoo/0a' },
      'webAclArn must be of the account of the environment, 999999999999, not "arn:',
    ],
    [
      {
        throttle: { ratePerSecond: 50, burst: 60 },
        throttlePerKey: { ratePerSecond: 51, burst: 61 },
      },
      'throttlePerKey.ratePerSecond must be at most 50, that of the whole stage (throttle), not 51; throttlePerKey.burst must be at most 60,',
    ],
    [
      { region: 'eu-south-1', throttlePerKey: { ratePerSecond: 200, burst: 700 } },
      'throttlePerKey.burst must be at most 625, that of the whole stage (throttle), not 700.',
    ],
    [
      { throttlePerKey: { ratePerSecond: 6000, burst: 700 } },
      'throttlePerKey.ratePerSecond must be at most 5000,',
    ],
    [
      { browserOrigins: 'https://app.zoo.dev' },
      'browserOrigins must be "*" or a list of origins, not "https',
    ],
    [{ browserOrigins: {} }, 'browserOrigins must be "*" or a list of origins'],
    ...[
      '*',
      'app.zoo.dev',
      'https://app.zoo.dev/',
      'https://app.zoo.dev/path',
      'https://App.zoo.dev',
      'https://app.zoo.dev:443',
      'ftp://zoo.dev',
      'null',
      "https://zoo'.dev",
      'https://$zoo.dev',
      7,
    ].map((origin): [unknown, string] => [
      { browserOrigins: ['https://zoo.dev', origin] },
      'browserOrigins.1 must be an origin such as "https://app.example.com"',
    ]),
    ...[-1, 1.5, '300', 63_072_001, true].map((hstsMaxAge): [unknown, string] => [
      { hstsMaxAge },
      `hstsMaxAge must be a whole number of seconds from 0 to 63072000 (two years), not ${JSON.stringify(hstsMaxAge)}.`,
    ]),
    [{ requestsPerAddress: 9 }, 'requestsPerAddress must be a whole number of at least 10, not 9'],
    [
      {
        requestsPerAddress: 2000,
        webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/zoo/0a1b2c3d',
      },
      "staging.json: webAclArn and requestsPerAddress can't be used together: an API has one web ACL.",
    ],
    [{ restoredTables: { pet: 'restored' } }, 'there is no setting restoredTables.pet (did you mean pets?)'],
    [{ restoredTables: { pets: '' } }, 'restoredTables.pets must be the name of a table'],
    [{ restoredTables: 'pets' }, 'restoredTables must be an object of table names, not "pets"'],
    [{ logRetentionDays: 8 }, 'logRetentionDays must be one of 1, 3, 5, 7, 14, '],
    [{ logRetentionDays: 9999 }, 'logRetentionDays must be one of'],
    [['platformDomain'], 'the content must be an object'],
    ['{"petShards": 1,}', 'staging.json is not JSON: '],
  ])('%j are refused in one line that names file and setting', (settings, fault) => {
    const message = refusal(settings);
    expect(message).toMatch(/^staging\.json/);
    expect(message).toContain(fault);
    expect(message).not.toContain('\n');
  });

  test.each([
    ['eu-central-1', [5000, 2500], [200, 1000]],
    ['eu-south-1', [1250, 625], [200, 625]],
  ])(
    'without throttles, those of %s are half of its quota, and a key has no more than the stage',
    (region, ...limits) => {
      const { throttle, throttlePerKey } = environmentNamed('staging', { region });
      expect([throttle, throttlePerKey].map(limit => limit && Object.values(limit))).toEqual(limits);
    },
  );

  test('are refused with all their faults at once', () => {
    const message = refusal({ petShards: 0, region: 'here', color: 'red' });
    for (const name of ['petShards', 'region', 'color']) expect(message).toContain(name);
    expect(message.match(/petShards/g)).toHaveLength(1);
  });

  test('in a file that is named after no environment are refused', () => {
    const folder = settingsFolder({ prodution: {} });
    expect(() => deployedEnvironments(folder)).toThrow(
      `${folder}/prodution.json isn't named after an environment: did you mean production?`,
    );
  });

  test('of a folder that does not exist are refused', () => {
    const missing = join(settingsFolder({}), 'nowhere');
    expect(() => deployedEnvironments(missing)).toThrow(SettingsError);
  });

  test('that cannot be read are an error, not the defaults', () => {
    const folder = settingsFolder({});
    mkdirSync(join(folder, 'staging.json'));
    expect(() => readSettings(folder, 'staging')).toThrow('EISDIR');
  });
});

describe('the platform domain', () => {
  test.each(['apps.zoo.dev', 'zoo.dev', 'apps.zoo.co.uk', 'xn--4gbrim.com', 'a-b.zoo.dev'])(
    'may be %s',
    name => {
      const folder = settingsFolder({ staging: { platformDomain: name } });
      expect(readSettings(folder, 'staging')).toEqual({ platformDomain: name });
    },
  );

  test.each<[name: string, fault: string]>([
    ...[
      'apps.petstore.example',
      'petstore.test',
      'printer.local',
      'x.invalid',
      'app.localhost',
      'example.com',
      'apps.example.net',
      'example.org',
    ].map((name): [string, string] => [name, 'and not a reserved one']),
    ['co.uk', 'not a public suffix'],
    ['apps.petstore.nosuchtld', 'under a public top-level domain'],
    ['1.2.3.4', 'under a public top-level domain'],
    ['petstore', 'must be a domain name in lowercase'],
    ['Apps.Zoo.dev', 'must be a domain name in lowercase'],
    ['apps.zoo.dev.', 'without a trailing dot'],
    ['https://apps.zoo.dev', 'must be a domain name'],
    ['apps_zoo.dev', 'must be a domain name'],
    ['-apps.zoo.dev', 'must be a domain name'],
    ['', 'must be a domain name'],
    [`${'a.'.repeat(28)}zoo.dev`, 'must be at most 62 characters long, or no certificate could be issued'],
  ])('may not be %j', (name, fault) => {
    const message = refusal({ platformDomain: name });
    expect(message).toContain('staging.json: platformDomain must be');
    expect(message).toContain(fault);
    expect(message).toContain(`not ${JSON.stringify(name)}`);
  });

  test('may not be that of another environment', () => {
    const settings = { platformDomain: 'apps.zoo.dev' };
    const folder = settingsFolder({ production: settings, sandbox: settings });
    expect(deployedEnvironments(folder)).toHaveLength(2);
    expect(() => deployedEnvironments(folder, 'sandbox')).toThrow(
      `${folder}: platformDomain of sandbox.json must differ from that of production.json`,
    );
  });
});

describe('API Gateway’s role for logs', () => {
  const ownersOf = (settings: Parameters<typeof settingsFolder>[0], personal?: string) =>
    deployedEnvironments(settingsFolder(settings), personal)
      .filter(({ setsGatewayLogRole }) => setsGatewayLogRole)
      .map(({ stage }) => stage);
  const [account, region] = ['111122223333', 'eu-central-1'];
  const here = { account, region };
  const there = { account, region: 'us-east-1' };
  const yes = { gatewayLogRole: true };
  const no = { gatewayLogRole: false };

  test.each<[what: string, settings: Record<string, object>, owners: string[]]>([
    ['each, where nothing is said', {}, ['production', 'staging', 'sandbox']],
    ['one with the settings of a first deploy', { production: here }, ['production', 'staging', 'sandbox']],
    ['each of several places', { production: here, staging: there }, ['production', 'staging', 'sandbox']],
    ['none, where another team does', { staging: no, production: no, sandbox: no }, []],
    [
      'the one of a place whose settings do not leave it to the other',
      { production: { ...here, ...no }, staging: here, sandbox: no },
      ['staging'],
    ],
  ])('is set by %s', (_, settings, owners) => {
    expect(ownersOf(settings, 'sandbox')).toEqual(owners);
  });

  test.each<[settings: Record<string, object>, one: string, other: string]>([
    [{ production: here, staging: here }, 'production', 'staging'],
    [{ production: { ...here, ...yes }, staging: here }, 'production', 'staging'],
    [{ production: here, staging: there, sandbox: here }, 'production', 'sandbox'],
  ])('is refused twice in one place: %j', (settings, one, other) => {
    expect(() => ownersOf(settings, 'sandbox')).toThrow(
      `${one}.json and ${other}.json are both for the account ${account} in ${region}, where API Gateway has one role for logs. Set gatewayLogRole to false for the one that is deployed after the other.`,
    );
  });
});

describe('a personal environment', () => {
  test('is not needed: production and staging can be named, too', () => {
    expect(deployedEnvironments(settingsFolder({}), 'staging')).toHaveLength(2);
  });

  test('with a name that is close to production is refused', () => {
    expect(() => deployedEnvironments(settingsFolder({}), 'prod')).toThrow(
      "-c environment=prod isn't an environment: did you mean production?",
    );
  });
});
