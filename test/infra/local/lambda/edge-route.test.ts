import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openCertificateAuthority } from '../../../../infra/local/acm/certificate-authority.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { deployed } from './deployed-function.ts';

const NAME = 'www.zoo.example';

test('a function reaches the edge at port 443 of this machine, and trusts its authority there', async () => {
  const authority = await openCertificateAuthority(temporaryFolder());
  const { certificate, privateKey } = await authority.sign([NAME], 'EC_prime256v1', Date.now());
  const edge = createServer({ cert: certificate, key: privateKey }, ({ headers }, response) => {
    response.end(headers.host);
  });
  await new Promise<void>(resolve => edge.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    edge.closeAllConnections();
    edge.close();
  });
  const { port } = edge.address() as AddressInfo;
  const { invoke } = deployed(
    `
    const https = require('node:https');
    const get = options => new Promise((resolve, reject) => {
      https.request({ agent: false, headers: { Host: options.servername }, ...options }, response => {
        response.toArray().then(chunks => resolve(Buffer.concat(chunks).toString()), reject);
      }).on('error', error => resolve(error.code)).end();
    });
    exports.handler = async () => ({
      served: await get({ host: '127.0.0.1', port: 443, servername: '${NAME}' }),
      otherName: await get({ host: '127.0.0.1', port: 443, servername: 'other.example' }),
      otherPort: await get({ host: '127.0.0.1', port: ${port}, servername: '${NAME}' }),
    });`,
    { Timeout: 120 },
    undefined,
    { edge: () => ({ port, authority: authority.certificate }) },
  );
  expect((await invoke({})).answer).toEqual({
    served: NAME,
    otherName: 'ERR_TLS_CERT_ALTNAME_INVALID',
    otherPort: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
});

test('a function has the scale of waits as WAIT_SCALE, unless it is 1', async () => {
  const code = 'exports.handler = async () => process.env.WAIT_SCALE ?? null;';
  const scaled = deployed(code, {}, undefined, { waitScale: 0.01 });
  expect((await scaled.invoke({})).answer).toBe('0.01');
  expect((await deployed(code).invoke({})).answer).toBeNull();
});
