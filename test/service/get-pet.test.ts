import { beforeAll, describe, expect, test } from 'vitest';
import { client, created, expectError, type HttpResponse, type Pet } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

describe('GET /pets/{petId}', () => {
  const send = client(() => service.staging);
  let pet: Pet;
  beforeAll(async () => {
    pet = await created(send, { name: 'Rex', categoryId: 7 });
  });

  function expectDeprecated({ headers }: HttpResponse, successor = '/pets'): void {
    expect(headers.deprecation).toBe(`@${Date.UTC(2025, 11, 5) / 1000}`);
    expect(headers.sunset).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.link).toBe(`<${service.staging.url}${successor}>; rel="successor-version"`);
  }

  test('200: the animal, with the headers of a deprecated operation', async () => {
    const response = await send(`GET /pets/${pet.id}`);
    expect(response.status).toBe(200);
    expect(response.text).toBe(`{"id":${pet.id},"name":"Rex","categoryId":7,"status":"available"}`);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    expectDeprecated(response, '/pets?status=available');
  });

  test('200: the same id with a digit percent-encoded, or a slash behind it', async () => {
    const [first = '', ...others] = String(pet.id);
    const encoded = `%${first.charCodeAt(0).toString(16)}${others.join('')}`;
    for (const written of [encoded, `${pet.id}/`]) {
      expect((await send(`GET /pets/${written}`)).json()).toEqual(pet);
    }
  });

  test('404: an id that no animal has, or that is not an int64', async () => {
    const written = [
      '0',
      '-1',
      '9223372036854775807',
      '9223372036854775808',
      'abc',
      '%EF%BC%91',
      '%00',
      '%FF',
      '%zz',
      '9'.repeat(300),
      `0${pet.id}`,
      `${pet.id}%20`,
      `${pet.id}%0A`,
      `${pet.id}%2F`,
    ];
    for (const petId of written) {
      const response = await send(`GET /pets/${petId}`);
      expectError(response, 404, 'not_found');
      expectDeprecated(response);
    }
  });
});
