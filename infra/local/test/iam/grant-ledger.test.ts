import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GrantLedgerFile, readLedger } from '../../iam/grant-ledger.ts';
import { declaredRoles } from '../../iam/roles.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const CALL = { stack: 'Zoo', role: 'Keeper', action: 'acm:DeleteCertificate', resource: 'certificate/1' };
const GRANT = { action: 'acm:Delete*', resource: 'certificate/*' };

describe('a ledger', () => {
  test('has the first call of a grant at once, and how often it was repeated at the end', () => {
    const file = join(temporaryFolder(), 'ledger.jsonl');
    const ledger = new GrantLedgerFile(file);
    const lines = () => readLedger(readFileSync(file, 'utf8'));
    ledger.record({ ...CALL, grant: GRANT });
    ledger.record({ ...CALL, resource: 'certificate/2', grant: GRANT });
    ledger.record({ ...CALL, resource: 'certificate/3', grant: GRANT });
    expect(lines()).toEqual([{ ...CALL, grant: GRANT, times: 1 }]);
    ledger.close();
    expect(lines()).toEqual([
      { ...CALL, grant: GRANT, times: 1 },
      { ...CALL, grant: GRANT, times: 2 },
    ]);
  });

  test('keeps denied calls apart by their action and resource', () => {
    const file = join(temporaryFolder(), 'ledger.jsonl');
    const ledger = new GrantLedgerFile(file);
    ledger.record(CALL);
    ledger.record({ ...CALL, resource: 'certificate/2' });
    ledger.record(CALL);
    ledger.close();
    const denied = readLedger(readFileSync(file, 'utf8'));
    expect(denied.map(({ resource, times }) => [resource, times])).toEqual([
      ['certificate/1', 1],
      ['certificate/2', 1],
      ['certificate/1', 1],
    ]);
  });

  test('is told every call of a role, with the patterns that allowed it', () => {
    const calls: unknown[] = [];
    const place = { stack: 'Zoo', logicalId: 'Keeper', type: 'AWS::IAM::Role', physicalId: 'Zoo-Keeper' };
    const statements = [
      { Effect: 'Allow', Action: ['acm:List*', 'acm:Delete*'], Resource: ['domain/*', 'certificate/*'] },
      { Effect: 'Deny', Action: '*', Resource: 'certificate/9' },
    ];
    const Policies = [{ PolicyName: 'Own', PolicyDocument: { Statement: statements } }];
    const properties = { AssumeRolePolicyDocument: {}, Policies };
    const roles = declaredRoles([{ ...place, properties }], { record: call => calls.push(call) });
    const keeper = roles.get('arn:aws:iam::000000000000:role/Zoo-Keeper')?.assumedBy('feed');
    for (const resource of ['certificate/1', 'certificate/9', 'other']) {
      keeper?.denial('acm:DeleteCertificate', resource);
    }
    expect(calls).toEqual([
      { ...CALL, grant: GRANT },
      { ...CALL, resource: 'certificate/9' },
      { ...CALL, resource: 'other' },
    ]);
  });
});
