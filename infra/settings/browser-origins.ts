/** The origins whose pages may call an environment: any (`*`), or a list that may be empty. */
export type BrowserOrigins = '*' | readonly string[];

/**
 * The origins of an environment whose settings name none. Elsewhere than in production any page may call it: API keys
 * travel in a header that no browser adds by itself, so a page can do no more than its visitor with curl. In production
 * none may: a page that calls it holds an API key, and shows it to everybody who opens the page.
 */
export function defaultBrowserOrigins(environment: string): BrowserOrigins {
  return environment === 'production' ? [] : '*';
}

/** Origins are written into templates, so that no character may have a meaning there. */
const ORIGIN = /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d+)?$/;

/** Whether a text is an origin exactly as browsers send it: scheme, host, and the port if it is not the scheme's own. */
export function isOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
