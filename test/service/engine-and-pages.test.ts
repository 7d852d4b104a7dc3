import { randomInt } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { ENGINE_OF_THE_RUN, startEngine } from '../../infra/local/testing/engine.ts';
import { NEEDS_BROWSER, servePage, startBrowser } from './browser.ts';

/** Runs in the page: which of the endpoints let it read what tables there are. */
async function readable(endpoints: readonly string[]): Promise<string[]> {
  const listTables = {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'content-type': 'application/x-amz-json-1.0',
    },
    body: '{}',
  };
  const outcomes = await Promise.allSettled(
    endpoints.map(async endpoint => (await fetch(endpoint, listTables)).text()),
  );
  return endpoints.filter((_, index) => outcomes[index]?.status === 'fulfilled');
}

/** Dynoxide lets every page read its responses; only that no page can find it keeps them out. */
test(
  'a web page that knows the address of the DynamoDB engine but not its port, or the port but not the address, reads nothing',
  NEEDS_BROWSER,
  async () => {
    const engine = startEngine({ name: ENGINE_OF_THE_RUN });
    onTestFinished(engine.stop);
    const endpoint = await engine.endpoint;
    const { hostname, port } = new URL(endpoint);
    const pages = await servePage({ '/': { type: 'text/html', body: '<!doctype html>' } });
    onTestFinished(() => pages.close());
    const browser = await startBrowser(pages.resolverRule);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(pages.url);
    const isGuess = (guess: string) => guess !== endpoint;
    const addresses = Array.from(
      { length: 200 },
      () => `127.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
    );
    const ports = Array.from({ length: 200 }, () => randomInt(1024, 65_536));
    const guesses = [
      ...['127.0.0.1', '[::1]', 'localhost', ...addresses].map(address => `http://${address}:${port}`),
      ...ports.map(guess => `http://${hostname}:${guess}`),
    ].filter(isGuess);
    expect(await page.evaluate(readable, guesses)).toEqual([]);
    // Who knows both does read: the guesses above would have, too.
    const isOpen = engine.title === 'Dynoxide';
    expect(await page.evaluate(readable, [endpoint])).toEqual(isOpen ? [endpoint] : []);
  },
);
