import { startBrowser } from './browser.ts';
import { servePage } from './client/page-server.ts';
import type { Environment } from './running-service.ts';

/** What a page can read of a response. */
interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  readonly body: any;
}

/** Runs in the page, so it may use nothing of this module. A fetch that CORS forbids rejects. */
async function callInterface({
  base,
  key,
}: {
  base: string;
  key: string;
}): Promise<Readonly<Record<string, PageResponse>>> {
  const headers = { Authorization: `Bearer ${key}` };
  const read = async (response: Response): Promise<PageResponse> => {
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers.entries()),
      body: text && JSON.parse(text),
    };
  };
  const call = async (address: string, options: RequestInit = {}) => read(await fetch(address, options));
  const create = () =>
    call(`${base}/pets`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'from a page' },
      body: JSON.stringify({ name: 'Luna', categoryId: 2 }),
    });
  const added = await create();
  const again = await create();
  const first = await call(`${base}/pets?limit=1`, { headers });
  const [, nextAddress = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
  const responses: Record<string, PageResponse> = {
    created: added,
    again,
    first,
    next: await call(nextAddress, { headers }),
    head: await call(`${base}/pets?limit=1`, { method: 'HEAD', headers }),
    noKey: await call(`${base}/pets`),
    wrongKey: await call(`${base}/pets`, { headers: { Authorization: 'Bearer wrong' } }),
    noAnimal: await call(`${base}/pets/1`, { headers }),
    noPath: await call(`${base}/dogs`, { headers }),
    notAllowed: await call(`${base}/pets/1`, { method: 'POST', headers }),
  };
  let tooMany: PageResponse;
  do tooMany = await call(`${base}/store/orders`, { headers });
  while (tooMany.status === 200);
  return { ...responses, tooMany };
}

/** Calls the interface from a page in Chromium that another server returned. */
export async function callFromAnotherOrigin({ url, apiKey }: Environment) {
  const pages = await servePage({
    '/': { type: 'text/html', body: '<!doctype html><title>Elsewhere</title>' },
  });
  const browser = await startBrowser(pages.resolverRule);
  try {
    const page = await browser.newPage();
    await page.goto(pages.url);
    return await page.evaluate(callInterface, { base: url, key: apiKey });
  } finally {
    await browser.close();
    pages.close();
  }
}
