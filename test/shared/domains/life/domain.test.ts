import { expect, test } from 'vitest';
import { type Domain, domainFromItem, domainItem } from '../../../../shared/domains/life/domain.ts';
import { claimed, live, removing } from '../claimed-domain.ts';

const changed = { status: 'needs_attention', reason: 'mapping_changed' } as const;
const busy = { status: 'stalled', reason: 'gateway_busy' } as const;

test.each<[what: string, domain: Domain, item: object]>([
  ['a live domain', live(), { status: 'live', phase: 'live' }],
  ['one that needs attention', live(changed), { ...changed, status: 'live', phase: 'live' }],
  ['a removal', removing(), { status: 'removing', phase: 'live' }],
  ['a removal that has stalled', removing(busy), { ...busy, status: 'removing', phase: 'live' }],
  [
    'one that is ready, which version 1.0 looks for in DNS',
    claimed({ status: 'ready', phase: 'attachment' }),
    { status: 'verifying', phase: 'attachment' },
  ],
  [
    'a verification with a reason',
    claimed({ status: 'verifying', reason: 'traffic_record_missing' }),
    { status: 'verifying', phase: 'dns' },
  ],
])('an item has the words of version 1.0, and is read as it was written: %s', (_, domain, item) => {
  expect(domainItem(domain)).toMatchObject(item);
  expect(domainFromItem(domainItem(domain))).toEqual(domain);
});
