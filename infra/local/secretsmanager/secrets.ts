import * as z from 'zod';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { KeptFile } from '../host/data-folder.ts';
import { randomPassword } from './random-password.ts';
import { type GenerateSecretString, Secret } from './secret-type.ts';

const ValuesByArn = z.record(z.string(), z.string());

/**
 * The values of the declared secrets by ARN. Generated values are kept in a file that only its owner can read, and are
 * the same after a restart; without a file they are kept in memory.
 */
export class Secrets {
  readonly #file: KeptFile<typeof ValuesByArn>;
  readonly #generated: Map<string, string>;
  readonly #valueByName = new Map<string, string>();
  readonly #valueByArn = new Map<string, string>();

  constructor(file?: string) {
    this.#file = new KeptFile(file, ValuesByArn);
    this.#generated = new Map(Object.entries(this.#file.read() ?? {}));
  }

  /** Generates the missing values of the declared secrets. */
  create(resources: readonly Resource[]): void {
    const sizeBefore = this.#generated.size;
    for (const resource of resources) {
      if (resource.type === 'AWS::SecretsManager::Secret') {
        const { Name, SecretString, GenerateSecretString } = parseProperties(
          Secret,
          resource.properties,
          resource,
        );
        const arn = resource.physicalId;
        const value = SecretString ?? this.#generatedOnce(arn, GenerateSecretString);
        this.#valueByArn.set(arn, value);
        this.#valueByName.set(Name ?? `${resource.stack}-${resource.logicalId}`, value);
      }
    }
    if (this.#generated.size > sizeBefore) {
      this.#file.keep(Object.fromEntries(this.#generated));
    }
  }

  /** The value of a secret by its ARN or name. */
  readonly secretString = (secretId: string): string | undefined =>
    this.#valueByArn.get(secretId) ?? this.#valueByName.get(secretId);

  #generatedOnce(arn: string, options: GenerateSecretString | undefined): string {
    const value = this.#generated.get(arn) ?? generated(options);
    this.#generated.set(arn, value);
    return value;
  }
}

function generated(options: GenerateSecretString | undefined): string {
  if (options === undefined) {
    return '';
  }
  const password = randomPassword(options);
  return options.GenerateStringKey === undefined
    ? password
    : JSON.stringify({
        ...JSON.parse(options.SecretStringTemplate ?? '{}'),
        [options.GenerateStringKey]: password,
      });
}
