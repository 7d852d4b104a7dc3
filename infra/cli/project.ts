import { usageError } from './command-error.ts';
import { nearest } from './nearest.ts';

export const PLANS = ['free', 'pro', 'enterprise'];
export const DEPLOY_STATES = ['succeeded', 'failed', 'none'];

/** A project as the operator function tells it. Times are RFC 3339. */
export interface Project {
  readonly id: string;
  readonly plan: string;
  readonly deploy: { readonly state: string; readonly at: string | null };
  readonly apiId: string;
  readonly stage: string;
  readonly createdAt: string;
  readonly primary: string | null;
  readonly redirects?: readonly { readonly from: string; readonly to: string; readonly status: number }[];
  readonly liveDomains?: readonly string[];
}

export const readPlan = (text: string) => readOneOf(PLANS, 'A plan', text);
export const readDeployState = (text: string) => readOneOf(DEPLOY_STATES, '--state', text);

function readOneOf(known: readonly string[], what: string, text: string): string {
  if (known.includes(text)) return text;
  const meant = nearest(text, known);
  throw usageError(
    `${what} is one of ${known.join(', ')}, not "${text}".`,
    ...(meant ? [`Did you mean: ${meant}?`] : []),
  );
}
