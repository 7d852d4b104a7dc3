import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../shared/operator/contract.ts';
import { succeeds } from '../../operator/operator-stand-in.ts';
import { answered } from '../petstore-here.ts';

describe('audit', () => {
  test('0: prints a line per change, the newest first', async () => {
    const entries = [
      {
        by: 'arn:aws:sts::123456789012:assumed-role/Operators/jane',
        claimedBy: 'joe',
        command: 'keys.create',
        input: { name: 'Acme', scopes: ['pets:read', 'pets:write'] },
        result: { id: 'key_1', name: 'Acme' },
      },
      {
        by: 'unverified',
        claimedBy: 'arn:aws:iam::123456789012:user/jane',
        command: 'keys.revoke',
        input: { id: 'key_1' },
        result: { id: 'key_1' },
      },
      {
        by: 'unverified',
        claimedBy: null,
        command: 'domains.remove',
        input: { project: 'shop', domain: 'www.example.com' },
        result: { domain: 'www.example.com', status: 'removing', records: [{ type: 'CNAME' }], history: [] },
      },
    ].map((entry, index): AuditEntry => {
      return { at: `2026-01-0${index + 1}T10:00:00.000Z`, requestId: String(index), ...entry };
    });
    const { stdout, sent } = await answered('audit --limit 5', succeeds({ entries }));
    expect(stdout.trimEnd().split('\n')).toEqual([
      'TIME (UTC)           BY                      WHAT                         DETAILS',
      '2026-01-03 10:00:00  unknown (not verified)  Removed www.example.com      project: shop',
      '2026-01-02 10:00:00  jane (not verified)     Revoked the API key key_1    –',
      '2026-01-01 10:00:00  Operators/jane (joe)    Created an API key for Acme  id: key_1; scopes: pets:read, pets:write',
    ]);
    expect(sent[0]).toEqual({ command: 'audit.list', limit: 5 });
  });

  test('0: says that nothing was changed yet', async () => {
    const { stdout, sent } = await answered('audit', succeeds({ entries: [] }));
    expect(stdout).toBe('Nothing has been changed in staging yet.\n');
    expect(sent[0]).toEqual({ command: 'audit.list' });
  });
});
