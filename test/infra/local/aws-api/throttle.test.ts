import { describe, expect, test } from 'vitest';
import { throttle } from '../../../../infra/local/aws-api/throttle.ts';
import { api, authorizer, method, onePet, serve } from '../apigateway/served-api.ts';

function passing(limits: { ratePerSecond?: number; burst?: number }) {
  let nowMs = 0;
  const mayPass = throttle(limits, () => nowMs);
  return (requests: number, afterMs: number) => {
    nowMs += afterMs;
    return Array.from({ length: requests }, mayPass).filter(Boolean).length;
  };
}

describe('a token bucket', () => {
  test('allows the burst at once, then the rate', () => {
    const pass = passing({ ratePerSecond: 10, burst: 3 });
    expect(pass(5, 0)).toBe(3);
    expect(pass(5, 100)).toBe(1);
    expect(pass(5, 50)).toBe(0);
    expect(pass(5, 50)).toBe(1);
    expect(pass(5, 60_000)).toBe(3);
  });

  test('of burst 0 allows nothing', () => {
    expect(passing({ ratePerSecond: 10, burst: 0 })(5, 1000)).toBe(0);
  });

  test('without limits allows everything', () => {
    expect(passing({})(20_000, 0)).toBe(20_000);
  });

  test('with a rate only has the burst of the account', () => {
    expect(passing({ ratePerSecond: 1 })(20_000, 0)).toBe(5_000);
  });

  test('does not lose tokens when the clock is set back', () => {
    expect(passing({ ratePerSecond: 1, burst: 2 })(2, -5_000)).toBe(2);
  });
});

test('429: exceeds the limits of the stage; requests are counted before authorization', async () => {
  const settings = [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 }];
  const authorized = onePet({ AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1' });
  const served = await serve([...api({ MethodSettings: settings }), authorizer(), ...authorized]);
  const statuses = [];
  for (let request = 0; request < 3; request++) statuses.push((await served.send('/test/pets/7')).status);
  expect(statuses).toEqual([401, 401, 429]);
  expect((await served.send('/test/pets/7')).body).toBe('{"message":"Too Many Requests"}');
  served.nowMs += 1000;
  expect((await served.send('/test/pets/7')).status).toBe(401);
});

test('429: a method with a limit of its own exceeds it, while the other methods are served', async () => {
  const settings = [
    { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 9 },
    { ResourcePath: '/~1pets~1{petId}', HttpMethod: 'GET', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
  ];
  const served = await serve([...api({ MethodSettings: settings }), ...onePet(), method('pet', 'PUT')]);
  const statuses = [];
  for (const httpMethod of ['GET', 'GET', 'PUT', 'PUT']) {
    statuses.push((await served.send('/test/pets/7', { method: httpMethod })).status);
  }
  expect(statuses).toEqual([200, 429, 200, 200]);
});
