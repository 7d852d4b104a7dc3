import { describe, expect, test } from 'vitest';
import { LIVE, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import { startOperatorStandIn, succeeds } from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';

describe('domains list', () => {
  test('0: --all prints the domains of all projects, from all pages', async () => {
    const shop = { ...VERIFYING, domain: 'a.example.com', project: 'shop' };
    const { stdout, sent } = await answered(
      'domains list --all',
      succeeds({ domains: [LIVE], next: 'www.example.com' }),
      succeeds({ domains: [shop], next: null }),
    );
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^PROJECT +DOMAIN +STATUS +ROLE +NEXT CHECK +REASON$/),
      expect.stringMatching(/^petstore +www\.example\.com +live +primary +– +–$/),
      expect.stringMatching(/^shop +a\.example\.com +verifying +– .* traffic_record_missing$/),
      '',
    ]);
    expect(sent.map(({ after }) => after)).toEqual([undefined, 'www.example.com']);
  });

  test('0: prints a line per domain, from all pages', async () => {
    const redirect = { to: 'www.example.com', status: 301 };
    const domains = [
      LIVE,
      { ...LIVE, domain: 'example.com', primary: false, redirect: { ...redirect, isPending: true } },
      { ...VERIFYING, domain: 'a.example.com', nextCheckAt: new Date().toISOString() },
    ];
    const { stdout, sent } = await answered(
      'domains list',
      succeeds({ domains: domains.slice(0, 2), next: 'example.com' }),
      succeeds({ domains: domains.slice(2), next: null }),
    );
    const [titles, ...lines] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^DOMAIN +STATUS +ROLE +NEXT CHECK +REASON +MESSAGE$/);
    expect(lines).toEqual([
      expect.stringMatching(
        /^www\.example\.com +live +primary +– +– +https:\/\/www\.example\.com is live\.$/,
      ),
      expect.stringMatching(/^example\.com +live +301 to www\.example\.com \(pending\) /),
      expect.stringMatching(
        /^a\.example\.com +verifying +– +any moment +traffic_record_missing +Create a CNAME/,
      ),
    ]);
    const list = { command: 'domains.list', project: 'petstore' };
    expect(sent).toEqual([list, { ...list, after: 'example.com' }]);
  });

  test('0: suggests domains add when there are no domains', async () => {
    const { stdout } = await answered('domains list --project shop', succeeds({ domains: [] }));
    expect(stdout).toBe(
      'Project shop has no domains in staging yet. Add one: petstore domains add www.example.com --project shop\n',
    );
  });
});

describe('domains list at a terminal of 80 columns', () => {
  const LONG = `${'shop-of-the-zoo.'.repeat(6)}example.com`;
  const list = async (...domains: object[]) => {
    const { environment } = await startOperatorStandIn(succeeds({ domains }));
    const { stdout } = await petstoreHere('domains list', environment, 80);
    return stdout.trimEnd().split('\n');
  };

  test('0: has one line for a live domain, and two for one that waits', async () => {
    const international = { ...LIVE, domain: 'xn--bcher-kva.example' };
    const [titles, ...lines] = await list(international, { ...VERIFYING, domain: 'a.example.com' });
    expect(titles).toMatch(/^DOMAIN +STATUS +ROLE +NEXT CHECK$/);
    expect(lines).toEqual([
      expect.stringMatching(/^xn--bcher-kva\.example \(bücher\.example\) +live +primary +–$/),
      expect.stringMatching(/^a\.example\.com +verifying +– +\S/),
      expect.stringMatching(/^ {2}traffic_record_missing: Create a CNAME record at www.*…$/),
    ]);
  });

  test('0: fits long names, of which both ends are shown', async () => {
    const redirect = { to: LONG, status: 301 };
    const lines = await list(
      { ...LIVE, domain: LONG },
      { ...VERIFYING, domain: `a.${LONG}`, message: 'word '.repeat(60) },
      { ...LIVE, domain: 'example.com', primary: false, redirect },
    );
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^shop-of-the.*….*example\.com +live +primary/);
    expect(lines[4]).toMatch(/^example\.com +live +301 to shop.*….*example\.com +–$/);
  });
});
