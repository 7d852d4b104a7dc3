import { refusal } from './refusal.ts';
import type { Resource } from './resource.ts';

/** Gives the value of a secret by its ARN or name, or undefined when there is none. */
export type SecretString = (secretId: string) => string | undefined;

const DYNAMIC_REFERENCE = /\{\{resolve:([^:}]+):([^}]+)\}\}/g;

/** secret-id, then SecretString with optional JSON key, version stage and version id. The id may be an ARN. */
const SECRET_REFERENCE = /^(.+?)(?::SecretString(?::([^:]*))?(?::[^:]*)?(?::[^:]*)?)?$/;

/** Replaces the {{resolve:secretsmanager:…}} references in a resource's properties by the secrets' values. */
export function resolveDynamicReferences(resource: Resource, secretString: SecretString): Resource {
  return { ...resource, properties: replaced(resource.properties) as Resource['properties'] };

  function replaced(value: unknown): unknown {
    if (typeof value === 'string') {
      return value.includes('{{resolve:') ? value.replace(DYNAMIC_REFERENCE, reference) : value;
    }
    if (Array.isArray(value)) {
      return value.map(replaced);
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item)]));
    }
    return value;
  }

  function reference(whole: string, service: string, rest: string): string {
    if (service !== 'secretsmanager') {
      throw refusal(resource, `the dynamic reference ${whole} is not supported by the local runtime`);
    }
    const [, secretId = '', jsonKey = ''] = SECRET_REFERENCE.exec(rest) ?? [];
    const secret = secretString(secretId);
    if (secret === undefined) {
      throw refusal(resource, `the dynamic reference ${whole} names a secret that no stack declares`);
    }
    return jsonKey === '' ? secret : fieldOf(secret, jsonKey, whole);
  }

  function fieldOf(secret: string, jsonKey: string, whole: string): string {
    try {
      const fields: Record<string, unknown> = JSON.parse(secret);
      if (jsonKey in fields) {
        return String(fields[jsonKey]);
      }
    } catch {
      // A secret that is not JSON does not have the field either.
    }
    throw refusal(resource, `the dynamic reference ${whole} names a field that the secret does not have`);
  }
}
