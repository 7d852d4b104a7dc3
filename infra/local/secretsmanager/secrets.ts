import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import { randomPassword } from './random-password.ts';
import { type GenerateSecretString, Secret } from './secret-type.ts';

/**
 * The values of the declared secrets by ARN. Generated ones are kept in a file that only its owner can read, so that
 * they are the same after a restart; without a file they last as long as this object.
 */
export class Secrets {
  readonly #file: string | undefined;
  readonly #generated: Map<string, string>;
  readonly #valueByName = new Map<string, string>();
  readonly #valueByArn = new Map<string, string>();

  constructor(file?: string) {
    this.#file = file;
    const kept: Record<string, string> =
      file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    this.#generated = new Map(Object.entries(kept));
  }

  /** Makes sure that each declared secret has a value. */
  create(resources: readonly Resource[]): void {
    const before = this.#generated.size;
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
    if (this.#generated.size > before) {
      this.#keep();
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

  #keep(): void {
    if (this.#file !== undefined) {
      // A crash while writing must not lose the values that are already in use, so the file is replaced as a whole.
      const unfinished = `${this.#file}.new`;
      const text = JSON.stringify(Object.fromEntries(this.#generated), undefined, 2);
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, this.#file);
    }
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
