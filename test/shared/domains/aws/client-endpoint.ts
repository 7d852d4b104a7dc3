import { onTestFinished, vi } from 'vitest';

/** Has the SDK's clients that are created during this test use an endpoint for a service. */
export function stubEndpoint(
  service: 'ACM' | 'API_GATEWAY' | 'EVENTBRIDGE' | 'ROUTE_53' | 'SFN',
  endpoint: string,
): void {
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
