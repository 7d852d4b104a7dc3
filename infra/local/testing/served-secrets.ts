import { Secrets, secretsManagerService } from '../secrets.ts';
import { serveEndpoint } from './served-endpoint.ts';

export type { Secrets };

/** Secrets Manager on a free port until the test has finished, with these values by their ARNs. */
export async function serveSecrets(values: Readonly<Record<string, string>>) {
  const secrets = new Secrets();
  for (const [arn, value] of Object.entries(values)) secrets.put(arn, value);
  const { endpoint } = await serveEndpoint({ secretsmanager: secretsManagerService(secrets) });
  return { secrets, endpoint };
}
