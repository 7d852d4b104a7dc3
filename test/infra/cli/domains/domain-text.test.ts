import { describe, expect, test } from 'vitest';
import {
  ADDED,
  inUse,
  LIVE,
  nextSteps,
  READY,
  TRAFFIC,
  VERIFYING,
} from '../../operator/domains/domain-fixture.ts';
import { refuses, startOperatorStandIn, succeeds } from '../../operator/operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';

const SHOW = 'domains show www.example.com';

async function shown(report: object, line = SHOW, columns?: number): Promise<string> {
  const { environment } = await startOperatorStandIn(succeeds(report));
  return (await petstoreHere(line, environment, columns)).stdout;
}

describe('a domain at a narrow terminal', () => {
  const step = `Create a CNAME record at www.example.com with the value ${TRAFFIC.value}, and wait until it has spread.`;

  test('has its prose broken between words, and no value broken', async () => {
    const report = {
      ...VERIFYING,
      message: step,
      troubles: [],
      ...nextSteps(['record', step]),
      history: [{ at: LIVE.checkedAt, status: 'verifying', what: `Once more: ${step}` }],
    };
    const text = await shown(report, SHOW, 60);
    const lines = text.split('\n');
    const prose = lines.filter(
      line => /\b(Create|with|wait|spread)\b/.test(line) && !line.includes('petstore domains'),
    );
    for (const line of prose) expect(line.length).toBeLessThanOrEqual(60);
    expect(text.split(TRAFFIC.value)).toHaveLength(4);
    expect(text).toContain('\n  petstore domains watch www.example.com\n');
  });

  test('has its command lines on one line, in errors too', async () => {
    const { environment } = await startOperatorStandIn(refuses('domain_unknown', 'word '.repeat(20).trim()));
    const line = `${SHOW} --project a-project-with-a-long-name`;
    const { stderr } = await petstoreHere(line, environment, 40);
    expect(stderr).toContain('\n  petstore domains list --project a-project-with-a-long-name\n');
    for (const each of stderr.split('\n').filter(text => text.includes('word')))
      expect(each.length).toBeLessThanOrEqual(40);
  });
});

describe('the DNS provider of a domain', () => {
  const how =
    'How to create records at Cloudflare: https://developers.cloudflare.com/dns/\n  Set every record to "DNS only"';

  test('is named, with its instructions while a record is to be created', async () => {
    const open = await shown(VERIFYING);
    expect(open).toMatch(/^DNS provider +Cloudflare$/m);
    expect(open).toContain(how);
    const done = await shown(LIVE);
    expect(done).toMatch(/^DNS provider +Cloudflare$/m);
    expect(done).not.toContain('How to create records');
  });

  test('is shown by its name servers if it is not known', async () => {
    const nameServers = ['ns1.a.example', 'ns2.a.example'];
    const unknown = await shown({ ...VERIFYING, nameServers, provider: null });
    expect(unknown).toMatch(/^DNS provider +ns1\.a\.example, ns2\.a\.example$/m);
  });
});

test('the notes of a report are broken between words', async () => {
  const note =
    'Not every DNS provider has ALIAS or ANAME records. If yours has neither, add www.example.com instead.';
  const alias = { ...TRAFFIC, type: 'ALIAS', name: 'example.com' };
  const report = {
    ...ADDED,
    domain: 'example.com',
    kind: 'apex',
    records: [alias, ...ADDED.records.slice(1)],
    notes: [note],
  };
  for (const command of ['add', 'show']) {
    const text = await shown(report, `domains ${command} example.com`, 60);
    expect(text.split('Not every DNS provider')).toHaveLength(2);
    const [, notes = ''] = text.split('\nNotes:\n');
    const lines = notes.split('\n').slice(0, 2);
    expect(lines.map(line => line.trim()).join(' ')).toBe(note);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  }
});

test('records are shown with the labels of their zone, which may be delegated', async () => {
  const record = { ...TRAFFIC, name: 'shop.dev.example.com', label: 'shop' };
  const text = await shown({ ...ADDED, records: [record] });
  expect(text).toContain('DNS records in the zone dev.example.com (NAME is relative to it');
  expect(text).toMatch(/^traffic +CNAME +shop +shop\.dev\.example\.com /m);
  const later = { ...ADDED, records: [{ ...record, isLater: true, todo: { kind: 'later' } }] };
  expect(await shown(later)).not.toContain(record.value);
});

test('a domain that serves beside the primary one comes with the line that makes it redirect', async () => {
  const report = { ...LIVE, project: 'zoo', role: 'also_serves', projectPrimary: 'example.com' };
  const text = await shown(report, `${SHOW} --project zoo`);
  expect(text).toContain('\n  petstore domains redirect www.example.com example.com --project zoo\n');
});

test('a domain that is ready comes with the record to switch', async () => {
  const message =
    'Ready. Point www.example.com at 1f0c.apps.petstore.example whenever you like before 18 Dec 2026, 12:00 UTC.';
  const text = await shown({
    ...READY,
    message,
    ...nextSteps(['record', 'Change it.'], ['switch', 'Keep others.']),
  });
  expect(text).toMatch(/^www\.example\.com {2}ready\n/);
  expect(text).toMatch(/^Switch by +2026-01-31 12:05 UTC/m);
  expect(text).toMatch(/^traffic .* ready to switch$/m);
  expect(text).toContain(
    '\nNext:\n  Change it.\n  Keep others.\n\n  petstore domains watch www.example.com\n',
  );
});

test('a domain that is ready and in trouble is not to be switched', async () => {
  const message = 'Another team has www.example.com at API Gateway.';
  const report = {
    ...inUse(READY),
    reason: 'domain_name_foreign',
    message,
    ...nextSteps(['trouble', message]),
  };
  const text = await shown(report);
  expect(text).toMatch(/^www\.example\.com {2}ready, but needs attention\nAnother team /);
  expect(text).toMatch(/^traffic .* switch last$/m);
});

test('every trouble is shown once, the first as the diagnosis, with a record to copy where one solves it', async () => {
  const [caa, proof] = ["Amazon isn't allowed to issue certificates.", 'The TXT record is missing.'];
  const fix = { type: 'CAA', name: 'example.com', label: '@', value: '0 issue "amazon.com"' };
  const troubles = [
    { reason: 'caa_blocked', message: caa, fix },
    { reason: 'ownership_record_missing', message: proof, fix: null },
  ];
  const report = {
    ...LIVE,
    reason: 'caa_blocked',
    message: caa,
    troubles,
    ...nextSteps(['trouble', caa], ['trouble', proof]),
  };
  const text = await shown(report);
  expect(text).toMatch(
    /^www\.example\.com {2}live, but needs attention\nAmazon isn't allowed to issue certificates\.\n\nADD +NAME +FULL NAME +VALUE\nCAA +@ +example\.com +0 issue "amazon\.com"\nAlso:\n {2}The TXT record is missing\.\n\nProject/,
  );
  for (const message of [caa, proof]) expect(text.split(message)).toHaveLength(2);
});
