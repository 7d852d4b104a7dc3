import { onTestFinished, vi } from 'vitest';

/** Where the SDK's clients that are made in this test find a service, by its name in the environment. */
export function clientsFind(service: 'ACM' | 'API_GATEWAY' | 'ROUTE_53' | 'SFN', endpoint: string): void {
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
