import { randomInt } from 'node:crypto';
import * as z from 'zod';
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
    this.#valueByArn.get(this.#arnByName.get(secretId) ?? secretId);
}

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Letters and digits with at least one of each kind, as GetRandomPassword generates them without punctuation. */
function randomPassword(length: number): string {
  const password = Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  const hasEachKind = [/[a-z]/, /[A-Z]/, /\d/].every(kind => kind.test(password));
  return hasEachKind ? password : randomPassword(length);
}
