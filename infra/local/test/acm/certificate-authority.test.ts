import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEY_ALGORITHMS, openCertificateAuthority } from '../../acm/certificate-authority.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

test('creates the authority once; only its owner can read its key', async () => {
  const folder = temporaryFolder();
  const first = await openCertificateAuthority(folder);
  const second = await openCertificateAuthority(folder);
  expect(second.certificate).toBe(first.certificate);
  expect(first.file).toBe(join(folder, 'ca.pem'));
  expect(readFileSync(first.file, 'utf8')).toBe(first.certificate);
  expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600);
  const { certificate } = await second.sign(['zoo.example'], 'RSA_2048', Date.now());
  expect(new X509Certificate(certificate).verify(new X509Certificate(first.certificate).publicKey)).toBe(
    true,
  );
});

test('creates a new authority when its key is lost', async () => {
  const folder = temporaryFolder();
  const first = await openCertificateAuthority(folder);
  rmSync(join(folder, 'ca-key.pem'));
  expect((await openCertificateAuthority(folder)).certificate).not.toBe(first.certificate);
});

test.each(KEY_ALGORITHMS)('signs a certificate with a key of %s for its names', async keyAlgorithm => {
  const authority = await openCertificateAuthority(temporaryFolder());
  const nowMs = Date.now();
  const signed = await authority.sign(['zoo.example', '*.zoo.example'], keyAlgorithm, nowMs);
  const certificate = new X509Certificate(signed.certificate);
  expect(certificate.subjectAltName).toBe('DNS:zoo.example, DNS:*.zoo.example');
  expect(certificate.checkHost('lion.zoo.example')).toBe('*.zoo.example');
  expect(certificate.checkHost('lion.example')).toBeUndefined();
  expect(certificate.ca).toBe(false);
  expect(Math.abs(signed.notBeforeMs - nowMs)).toBeLessThan(1000);
});
