import { type Caller, developer } from '../iam/principal.ts';
import { stsService } from '../sts-service.ts';
import { serveEndpoint } from './served-endpoint.ts';

/** STS on a free port until the test has finished, which knows one access key. */
export function serveSts({ accessKeyId, ...caller }: { accessKeyId: string } & Omit<Caller, 'principal'>) {
  return serveEndpoint({ sts: stsService }, developer, key =>
    key === accessKeyId ? { ...caller, principal: developer } : undefined,
  );
}
