import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError } from './aws-api/aws-api-error.ts';
import { awsService } from './aws-api/aws-service.ts';
import { type Operation, operationOf } from './aws-api/operation.ts';
import type { AwsService, ServiceApi } from './aws-api/service-api.ts';
import { loadServiceModel } from './aws-api/service-model.ts';
import { regionalArn } from './cloudformation/pseudo-parameters.ts';
import {
  type Declaration,
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  resourcesOf,
  shortId,
} from './cloudformation/resource-type.ts';
import { KeptFile } from './host/data-folder.ts';

const operation = operationOf<typeof import('@aws-sdk/client-secrets-manager')>();

/** AWS::SecretsManager::Secret, whose value is generated. */
const Secret = z.strictObject({
  Name: z.string().optional(),
  GenerateSecretString: z.strictObject({
    PasswordLength: z.int().min(8).max(4096).default(32),
    ExcludePunctuation: z.literal(true),
  }),
  Description: noEffect,
  KmsKeyId: noEffect,
  Tags: noEffect,
});

/** Secrets Manager adds a hyphen and six characters to the name. */
const arn = (declaration: Declaration) =>
  regionalArn('secretsmanager', `secret:${nameOf(declaration, 'Name')}-${shortId(declaration, 6)}`);

export const secretType: ResourceType = { properties: Secret, ref: arn, attributes: { Id: arn } };

const ValuesByArn = z.record(z.string(), z.string());

/**
 * The values of the declared secrets by ARN. They are kept in a file that only its owner can read, and are the same
 * after a restart; without a file they are kept in memory.
 */
export class Secrets {
  readonly #file: KeptFile<typeof ValuesByArn>;
  readonly #valueByArn: Map<string, string>;
  readonly #arnByName = new Map<string, string>();

  constructor(file?: string) {
    this.#file = new KeptFile(file, ValuesByArn);
    this.#valueByArn = new Map(Object.entries(this.#file.read() ?? {}));
  }

  /** Generates the missing values of the declared secrets. */
  create(resources: readonly Resource[]): void {
    const sizeBefore = this.#valueByArn.size;
    for (const resource of resourcesOf('AWS::SecretsManager::Secret', Secret, resources)) {
      const { physicalId, stack, logicalId } = resource;
      const { Name, GenerateSecretString } = resource.properties;
      const value = this.#valueByArn.get(physicalId) ?? randomPassword(GenerateSecretString.PasswordLength);
      this.#valueByArn.set(physicalId, value);
      this.#arnByName.set(Name ?? `${stack}-${logicalId}`, physicalId);
    }
    if (this.#valueByArn.size > sizeBefore) this.#file.keep(Object.fromEntries(this.#valueByArn));
  }

  /** The value of a secret by its ARN or name. */
  readonly secretString = (secretId: string): string | undefined =>
    this.#valueByArn.get(this.arnOf(secretId));

  arnOf(secretId: string): string {
    return this.#arnByName.get(secretId) ?? secretId;
  }

  /** Replaces the value of a secret. */
  put(secretId: string, value: string): void {
    this.#valueByArn.set(this.arnOf(secretId), value);
    this.#file.keep(Object.fromEntries(this.#valueByArn));
  }
}

/** The Secrets Manager API. */
export function secretsManagerApi(secrets: Secrets): ServiceApi {
  return {
    title: 'Secrets Manager',
    sdk: () => import('@aws-sdk/client-secrets-manager').then(sdk => [sdk, sdk.SecretsManagerClient]),
    actionPrefix: 'secretsmanager',
    operations: [getSecretValue(secrets), putSecretValue(secrets)],
    model: () => loadServiceModel('secretsmanager'),
    errorNames: { invalidInput: 'InvalidParameterException' },
  };
}

export function secretsManagerService(secrets: Secrets): AwsService {
  return awsService(secretsManagerApi(secrets));
}

function getSecretValue(secrets: Secrets): Operation {
  return operation({
    name: 'GetSecretValue',
    input: z.strictObject({ SecretId: z.string() }),
    resource: ({ SecretId = '' }) => secrets.arnOf(SecretId),
    perform: ({ SecretId }) => ({
      ...described(secrets, SecretId),
      SecretString: secrets.secretString(SecretId),
    }),
  });
}

function putSecretValue(secrets: Secrets): Operation {
  return operation({
    name: 'PutSecretValue',
    input: z.strictObject({
      SecretId: z.string(),
      SecretString: z.string(),
      ClientRequestToken: z.string().optional(),
    }),
    resource: ({ SecretId = '' }) => secrets.arnOf(SecretId),
    perform({ SecretId, SecretString }) {
      const output = described(secrets, SecretId);
      secrets.put(SecretId, SecretString);
      return output;
    },
  });
}

/** What every response says of a secret. Its versions have no ids here. */
function described(secrets: Secrets, secretId: string) {
  if (secrets.secretString(secretId) === undefined) {
    throw new AwsApiError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return { ARN: secrets.arnOf(secretId), VersionStages: ['AWSCURRENT'] };
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Letters and digits with at least one of each kind, as GetRandomPassword generates them without punctuation. */
function randomPassword(length: number): string {
  const password = Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  const hasEachKind = [/[a-z]/, /[A-Z]/, /\d/].every(kind => kind.test(password));
  return hasEachKind ? password : randomPassword(length);
}
