import { attachmentOfEnvironment } from '../../../shared/domain-flow/flow-environment.ts';

/** Step of the verification: domain name, mapping and the platform's host; then the domain is live. */
export const handler = attachmentOfEnvironment().attach;
