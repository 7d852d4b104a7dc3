import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../acm/certificates.ts';
import { validationOf } from '../../acm/dns-validation.ts';
import { developer } from '../../iam/principal.ts';
import { type Call, ONE_ATTEMPT, type ServiceName } from '../../simulation/calls.ts';
import { VirtualAws } from '../../simulation/virtual-aws.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../simulation/virtual-time.ts';
import { CALM, type Weather } from '../../simulation/weather.ts';

const LIMITS = { budgetMs: 10 * SECOND_MS, attemptTimeoutMs: SECOND_MS, longestDelayMs: 200 };

/** An account with a table and a zone, and a function that makes the calls of a test. */
class Account extends VirtualAws {
  constructor(weather: Partial<Weather> = {}) {
    super({
      seed: 1,
      weather: () => ({ ...CALM, ...weather }),
      tables: { pets: ['kind', 'id'] },
      timeToLive: 'expiresAt',
      zones: { 'Z-1': 'managed.example' },
      ownersZones: ['zoo.example'],
      tracedFields: [],
      stateMachines: [],
    });
  }

  protected override async deliver() {}
  protected override askDns({ input }: Call) {
    return this.publicDns.ask({ name: String(input), type: 'A' });
  }
  protected override requestHttps() {}

  /** Runs a function to its end; returns what it does, or its error by name. */
  async run<Result>(
    work: (aws: Account) => Promise<Result>,
    principal = developer,
  ): Promise<Result | string> {
    const invocation = { name: 'Test', timeoutMs: 72 * HOUR_MS, purpose: {}, principal };
    let outcome: { result: Result | string } | undefined;
    void this.lambda
      .invoke(invocation, () => work(this))
      .then(
        result => ({ result }),
        (error: Error) => ({ result: error.name }),
      )
      .then(settled => {
        outcome = settled;
      });
    await this.time.run(
      () => outcome !== undefined,
      Number.POSITIVE_INFINITY,
      () => {},
    );
    return outcome?.result ?? 'no outcome';
  }

  call = (service: ServiceName, operation: string, input: unknown) =>
    this.send(service, operation, input, service === 'dns' ? ONE_ATTEMPT : LIMITS);
}

const rex = { TableName: 'pets', Item: { kind: 'dog', id: 'rex' } };

describe('a call', () => {
  test('whose response is lost has taken effect, which its repetition finds', async () => {
    let attempts = 0;
    const fateOf = () => ({ kind: ++attempts === 1 ? 'response lost' : 'ok', latencyMs: 20 }) as const;
    const aws = new Account({ fateOf });
    const onlyNew = { ...rex, ConditionExpression: 'attribute_not_exists(id)' };
    expect(await aws.run(({ call }) => call('dynamodb', 'PutItem', onlyNew))).toBe(
      'ConditionalCheckFailedException',
    );
    expect([...aws.dynamodb.items('pets').values()]).toEqual([rex.Item]);
  });

  test('that is throttled fails when its time is over, and has no effect', async () => {
    const aws = new Account({ fateOf: () => ({ kind: 'throttled', latencyMs: 20 }) });
    expect(await aws.run(({ call }) => call('dynamodb', 'PutItem', rex))).toBe('ThrottlingException');
    expect(aws.dynamodb.items('pets').size).toBe(0);
  });

  test('after which its function crashes has taken effect', async () => {
    const aws = new Account({ fateOf: () => ({ kind: 'crash after', latencyMs: 20 }) });
    expect(await aws.run(({ call }) => call('dynamodb', 'PutItem', rex))).toBe('Lambda.Unknown');
    expect(aws.dynamodb.items('pets').size).toBe(1);
  });
});

test('an update removes attributes', async () => {
  const aws = new Account();
  await aws.run(async ({ call }) => {
    await call('dynamodb', 'PutItem', { ...rex, Item: { ...rex.Item, name: 'Rex', age: 3, color: 'red' } });
    await call('dynamodb', 'UpdateItem', {
      TableName: 'pets',
      Key: rex.Item,
      UpdateExpression: 'REMOVE #name, age',
      ExpressionAttributeNames: { '#name': 'name' },
    });
  });
  expect([...aws.dynamodb.items('pets').values()]).toEqual([{ ...rex.Item, color: 'red' }]);
});

test('an index of DynamoDB has a write later than its table', async () => {
  const aws = new Account({ indexLagMs: () => MINUTE_MS });
  const query = {
    TableName: 'pets',
    ExpressionAttributeNames: { '#kind': 'kind' },
    ExpressionAttributeValues: { ':kind': 'dog' },
  };
  const found = await aws.run(async ({ call, time }) => {
    await call('dynamodb', 'PutItem', rex);
    const inTable = await call('dynamodb', 'Query', query);
    const atOnce = await call('dynamodb', 'Query', { ...query, IndexName: 'byKind' });
    await time.sleep(MINUTE_MS);
    return [inTable, atOnce];
  });
  expect(found).toEqual([{ Items: [rex.Item] }, { Items: [] }]);
  const later = aws.run(({ call }) => call('dynamodb', 'Query', { ...query, IndexName: 'byKind' }));
  expect(await later).toEqual({ Items: [rex.Item] });
});

/** An account with a certificate of these names, whose validation records are in DNS. ACM looks every minute. */
async function certified(
  [DomainName, ...SubjectAlternativeNames]: readonly string[],
  weather: Partial<Weather> = {},
) {
  const aws = new Account({ issueDelayMs: () => 0, checkMs: () => MINUTE_MS, ...weather });
  const request = {
    DomainName,
    ...(SubjectAlternativeNames.length > 0 && { SubjectAlternativeNames }),
    ValidationMethod: 'DNS',
    IdempotencyToken: 'one',
  };
  await aws.run(({ call }) => call('acm', 'RequestCertificate', request));
  await aws.run(({ call }) => call('acm', 'RequestCertificate', request));
  const [{ arn } = { arn: '' }, ...others] = aws.certificates.list();
  expect(others).toEqual([]);
  const pass = (ms: number) => aws.run(({ time }) => time.sleep(ms));
  await pass(MINUTE_MS);
  expect(aws.certificates.find(arn)?.status).toBe('PENDING_VALIDATION');
  for (const name of [DomainName ?? '', ...SubjectAlternativeNames]) {
    aws.publicDns.owners.set(validationOf(name).name, 'CNAME', validationOf(name).value);
  }
  // ACM has looked before, and its resolver keeps for five minutes that there is no record.
  await pass(MINUTE_MS);
  expect(aws.certificates.find(arn)?.status).toBe('PENDING_VALIDATION');
  await pass(6 * MINUTE_MS);
  return {
    aws,
    arn,
    pass,
    certificate: () => aws.certificates.find(arn),
    create: (domainName: string, regionalCertificateArn = arn) =>
      aws.run(({ call }) =>
        call('apigateway', 'CreateDomainName', {
          domainName,
          regionalCertificateArn,
          endpointConfiguration: { types: ['REGIONAL'] },
        }),
      ),
    change: (operation: string, domainName: string, input: object) =>
      aws.run(({ call }) => call('apigateway', operation, { domainName, ...input })),
  };
}

test('a certificate is issued once its record is in DNS, and serves one domain name per slot', async () => {
  const { create, arn } = await certified(['www.zoo.example']);
  expect(await create('www.zoo.example')).toMatchObject({ regionalCertificateArn: arn });
  expect(await create('other.zoo.example')).toBe('TooManyRequestsException');
});

test('a call that the role of its function does not allow is refused, and has no effect', async () => {
  const aws = new Account();
  const role = { denial: (action: string) => `${action} is not allowed` };
  const request = { DomainName: 'www.zoo.example', ValidationMethod: 'DNS' };
  const put = aws.run(({ call }) => call('dynamodb', 'PutItem', rex), role);
  expect(await put).toBe('AccessDeniedException');
  const requested = aws.run(({ call }) => call('acm', 'RequestCertificate', request), role);
  expect(await requested).toBe('AccessDeniedException');
  expect([aws.dynamodb.items('pets').size, aws.certificates.list().length]).toEqual([0, 0]);
});

test('a call that the service model of AWS does not allow is refused', async () => {
  const request = { DomainName: 'www.zoo.example', ValidationMethod: 'DNS', SubjectAlternativeNames: [] };
  const requested = new Account().run(({ call }) => call('acm', 'RequestCertificate', request));
  expect(await requested).toBe('ValidationException');
});

describe('API Gateway', () => {
  test('refuses a certificate of other names, when a domain name is created and when it is changed', async () => {
    const { aws, create, change, certificate, pass } = await certified(['*.zoo.example']);
    expect(certificate()?.status).toBe('ISSUED');
    expect(await create('zoo.example')).toBe('BadRequestException');
    expect(await create('a.b.zoo.example')).toBe('TooManyRequestsException');
    await pass(MINUTE_MS);
    expect(await create('a.b.zoo.example')).toBe('BadRequestException');
    await pass(MINUTE_MS);
    expect(await create('www.zoo.example')).toMatchObject({ regionalCertificateArn: certificate()?.arn });
    await pass(MINUTE_MS);
    const issued = { ...aws.signed(aws.time.nowMs, HOUR_MS), issuedAtMs: aws.time.nowMs };
    const other = { ...certificate(), arn: 'other', names: ['zoo.example'], issued } as Certificate;
    aws.certificates.put(other);
    const patchOperations = [{ op: 'replace', path: '/regionalCertificateArn', value: other.arn }];
    expect(await change('UpdateDomainName', 'www.zoo.example', { patchOperations })).toBe(
      'BadRequestException',
    );
  });

  test('maps a domain name to no API and no stage that does not exist', async () => {
    const { aws, create, change } = await certified(['www.zoo.example']);
    aws.stages.set('api', 'live');
    await create('www.zoo.example');
    const to = (restApiId: string, stage: string) =>
      change('CreateBasePathMapping', 'www.zoo.example', { restApiId, stage });
    expect(await to('gone', 'live')).toBe('BadRequestException');
    expect(await to('api', 'gone')).toBe('BadRequestException');
    expect(await to('api', 'live')).toMatchObject({ restApiId: 'api' });
    const patchOperations = [{ op: 'replace', path: '/stage', value: 'gone' }];
    const input = { basePath: '(none)', patchOperations };
    const changed = change('UpdateBasePathMapping', 'www.zoo.example', input);
    expect(await changed).toBe('BadRequestException');
    expect(aws.domainNames.find('www.zoo.example')?.mapping).toEqual({ restApiId: 'api', stage: 'live' });
  });
});

test.each([
  [true, 'ISSUED'],
  [false, 'EXPIRED'],
])('ACM renews a certificate only if it is in use (%s)', async (isInUse, status) => {
  const { create, certificate, pass } = await certified(['www.zoo.example'], {
    validityMs: () => 30 * HOUR_MS,
  });
  const serial = certificate()?.issued?.serial;
  if (isInUse) await create('www.zoo.example');
  await pass(31 * HOUR_MS);
  expect(certificate()?.status).toBe(status);
  expect(certificate()?.issued?.serial !== serial).toBe(isInUse);
});

test('Route 53 changes records as the local AWS does, and DNS has them', async () => {
  const aws = new Account();
  const change = (Action: string) => ({
    HostedZoneId: 'Z-1',
    ChangeBatch: {
      Changes: [
        {
          Action,
          ResourceRecordSet: {
            Name: 'www.managed.example',
            Type: 'A',
            TTL: 60,
            ResourceRecords: [{ Value: '192.0.2.1' }],
          },
        },
      ],
    },
  });
  await aws.run(({ call }) => call('route53', 'ChangeResourceRecordSets', change('CREATE')));
  expect(await aws.run(({ call }) => call('dns', 'Ask', 'www.managed.example'))).toMatchObject({
    code: 'NOERROR',
    answers: [{ type: 'A', data: '192.0.2.1' }],
  });
  const again = aws.run(({ call }) => call('route53', 'ChangeResourceRecordSets', change('CREATE')));
  expect(await again).toBe('InvalidChangeBatch');
});
