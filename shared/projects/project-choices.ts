/** Plans, cheapest first. Custom domains need pro or above. */
export const PLANS = ['free', 'pro', 'enterprise'] as const;

/** Outcomes of the last deploy of a project; `none` before the first. */
export const DEPLOY_STATES = ['succeeded', 'failed', 'none'] as const;

/** HTTP statuses that a redirect can have: permanent (301, 308) or temporary (302, 307). 307 and 308 keep the method. */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;

/** The status of a redirect if none is given. */
export const DEFAULT_REDIRECT_STATUS = 301;

/**
 * What the default URL of a project does while its primary domain is live: it redirects to that, serves the project beside
 * it, or responds with 403.
 */
export const WHILE_LIVE_CHOICES = ['redirect', 'serve', 'closed'] as const;

/** Unless an operator chooses another. */
export const DEFAULT_WHILE_LIVE = 'redirect' satisfies (typeof WHILE_LIVE_CHOICES)[number];

/** The project for the service itself. Domain commands that name no project mean this one. */
export const SERVICE_PROJECT_ID = 'petstore';

/** The statuses of a stack whose last deploy succeeded, as CloudFormation names them. */
export const DEPLOYED_STACK_STATUSES = ['CREATE_COMPLETE', 'UPDATE_COMPLETE'];
