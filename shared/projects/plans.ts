/** Plans, the cheapest first. Custom domains need pro or above. */
export const PLANS = ['free', 'pro', 'enterprise'] as const;

/** Outcomes of the last deploy of a project; `none` before the first. */
export const DEPLOY_STATES = ['succeeded', 'failed', 'none'] as const;
