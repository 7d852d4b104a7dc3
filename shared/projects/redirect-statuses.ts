/** HTTP statuses that a redirect can have: permanent (301, 308) or temporary (302, 307). 307 and 308 keep the method. */
export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;

/** The status of a redirect that is asked for without one. */
export const DEFAULT_REDIRECT_STATUS = 301;
