/**
 * The local certificate authority, which signs certificates in place of Amazon's. Clients trust its certificate, `ca.pem`
 * in its folder. Only the owner of the folder can read its key, `ca-key.pem`.
 */
import 'reflect-metadata';
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

interface SignedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  readonly serial: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface CertificateAuthority {
  /** Path of the certificate of the authority itself. */
  readonly file: string;
  readonly certificate: string;
  /** Signs a certificate for names, of which the first is its subject. */
  sign(
    names: readonly string[],
    keyAlgorithm: KeyAlgorithm,
    nowMs: number,
    validityMs?: number,
  ): Promise<SignedCertificate>;
}

export type KeyAlgorithm = keyof typeof ALGORITHMS;

const DAY_MS = 24 * 60 * 60 * 1000;
/** ACM's certificates are valid for 198 days. */
const VALIDITY_MS = 198 * DAY_MS;
const AUTHORITY_VALIDITY_MS = 3650 * DAY_MS;
const AUTHORITY_NAME = 'CN=Petstore local CA, O=Petstore on one machine';

const ALGORITHMS = {
  RSA_2048: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  },
  EC_prime256v1: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  EC_secp384r1: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
};

export const KEY_ALGORITHMS = Object.keys(ALGORITHMS) as KeyAlgorithm[];

const AUTHORITY_ALGORITHM = ALGORITHMS.EC_prime256v1;

/** Opens the authority of a folder. The first call creates it, with this name. */
export async function openCertificateAuthority(
  folder: string,
  name = AUTHORITY_NAME,
): Promise<CertificateAuthority> {
  const file = join(folder, 'ca.pem');
  const keyFile = join(folder, 'ca-key.pem');
  if (!existsSync(file) || !existsSync(keyFile)) await create(file, keyFile, name);
  const certificate = readFileSync(file, 'utf8');
  const issuer = new x509.X509Certificate(certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(readFileSync(keyFile)).export({ type: 'pkcs8', format: 'der' }),
    AUTHORITY_ALGORITHM,
    false,
    ['sign'],
  );
  return {
    file,
    certificate,
    async sign(names, keyAlgorithm, nowMs, validityMs = VALIDITY_MS) {
      const keys = await sharedKeys(keyAlgorithm);
      const serial = serialNumber();
      const signed = await x509.X509CertificateGenerator.create({
        serialNumber: serial,
        issuer: issuer.subject,
        subject: `CN=${names[0]}`,
        notBefore: new Date(nowMs),
        notAfter: new Date(nowMs + validityMs),
        publicKey: keys.publicKey,
        signingKey,
        signingAlgorithm: AUTHORITY_ALGORITHM,
        extensions: [
          new x509.SubjectAlternativeNameExtension(names.map(value => ({ type: 'dns', value }))),
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(
            x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
            true,
          ),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
          await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ],
      });
      return {
        certificate: signed.toString('pem'),
        privateKey: privateKeyPem(keys.privateKey),
        serial: serial.match(/../g)?.join(':') ?? serial,
        notBeforeMs: signed.notBefore.getTime(),
        notAfterMs: signed.notAfter.getTime(),
      };
    },
  };
}

/** Writes the certificate last: if it exists, so does its key. */
async function create(file: string, keyFile: string, name: string): Promise<void> {
  const keys = await generateKeys(AUTHORITY_ALGORITHM);
  const nowMs = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name,
    // A client whose clock is a little behind must not refuse it as not valid yet.
    notBefore: new Date(nowMs - DAY_MS / 24),
    notAfter: new Date(nowMs + AUTHORITY_VALIDITY_MS),
    signingAlgorithm: AUTHORITY_ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writeWhole(keyFile, privateKeyPem(keys.privateKey), 0o600);
  writeWhole(file, `${certificate.toString('pem')}\n`, 0o644);
}

function writeWhole(file: string, content: string, mode: number): void {
  writeFileSync(`${file}.new`, content, { mode, flush: true });
  renameSync(`${file}.new`, file);
}

const sharedKeyPairs = new Map<KeyAlgorithm, Promise<webcrypto.CryptoKeyPair>>();

/**
 * The keys of all certificates of this process with this algorithm. To generate RSA keys takes a quarter of a second of
 * processor time, more than all other work on a domain together, and no client can tell whether others have the same.
 */
function sharedKeys(keyAlgorithm: KeyAlgorithm): Promise<webcrypto.CryptoKeyPair> {
  const keys = sharedKeyPairs.get(keyAlgorithm) ?? generateKeys(ALGORITHMS[keyAlgorithm]);
  sharedKeyPairs.set(keyAlgorithm, keys);
  return keys;
}

async function generateKeys(algorithm: (typeof ALGORITHMS)[KeyAlgorithm]): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

function privateKeyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** 16 random bytes. The first bit is 0, for a positive number, and the next is 1, for a constant length. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
