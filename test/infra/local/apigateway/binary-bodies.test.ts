import { describe, expect, test } from 'vitest';
import { answers, api, method, serve } from './served-api.ts';

const BYTES = Buffer.from([0x1f, 0x8b, 0x00, 0xff]);

const binaryApi = () => api({}, undefined, { BinaryMediaTypes: ['*/*'] });

describe('an API with the binary media types */*', () => {
  test('gives a function the body in base64', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')]);
    await served.send('/test', { method: 'POST', body: '{"name":"Rex"}' });
    expect(served.invocations[0]?.event).toMatchObject({
      body: Buffer.from('{"name":"Rex"}').toString('base64'),
      isBase64Encoded: true,
    });
  });

  test('gives a function no body as null', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')]);
    await served.send('/test');
    expect(served.invocations[0]?.event).toMatchObject({ body: null, isBase64Encoded: false });
  });

  test('200: decodes an encoded answer', async () => {
    const body = BYTES.toString('base64');
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      answers({ statusCode: 200, body, isBase64Encoded: true }),
    );
    expect((await served.send('/test')).headers['content-length']).toBe('4');
  });

  test('200: leaves an answer that is not encoded as it is', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      answers({ statusCode: 200, body: '{"a":1}' }),
    );
    expect((await served.send('/test')).body).toBe('{"a":1}');
  });

  test('502: an answer that is said to be encoded and is not', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY')], () =>
      answers({ statusCode: 200, body: '{"a":1}', isBase64Encoded: true }),
    );
    expect((await served.send('/test')).status).toBe(502);
  });

  const mock = (contentHandling: object) => ({
    MethodResponses: [{ StatusCode: '404' }],
    Integration: {
      Type: 'MOCK',
      RequestTemplates: { 'application/json': '{"statusCode": 404}' },
      IntegrationResponses: [{ StatusCode: '404', ...contentHandling }],
      ...contentHandling,
    },
  });

  test('404: a mock integration that converts to text answers', async () => {
    const converting = method('root', 'ANY', mock({ ContentHandling: 'CONVERT_TO_TEXT' }));
    const served = await serve([...binaryApi(), converting]);
    expect((await served.send('/test')).status).toBe(404);
  });

  test('500: a mock integration that does not convert to text fails', async () => {
    const served = await serve([...binaryApi(), method('root', 'ANY', mock({}))]);
    expect((await served.send('/test')).status).toBe(500);
  });
});

test('200: an API without binary media types answers the encoded text', async () => {
  const body = BYTES.toString('base64');
  const served = await serve([...api(), method('root', 'ANY')], () =>
    answers({ statusCode: 200, body, isBase64Encoded: true }),
  );
  expect((await served.send('/test')).body).toBe(body);
});
