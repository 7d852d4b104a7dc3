/** Times of the shown data are relative to now, as in a service that is in use. */
export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
export const ahead = (seconds: number) => ago(-seconds);

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
