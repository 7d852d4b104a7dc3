import { expect, test } from 'vitest';
import { declaredPermissions } from '../../lambda/permissions.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:create-pet';
const API = 'arn:aws:execute-api:us-east-1:000000000000:abc123';

function isPermitted(FunctionName: string, SourceArn?: string) {
  const Action = 'lambda:InvokeFunction';
  const Principal = 'apigateway.amazonaws.com';
  const properties = { Action, Principal, FunctionName, ...(SourceArn && { SourceArn }) };
  return declaredPermissions([
    { stack: 'Zoo', logicalId: 'P', type: 'AWS::Lambda::Permission', physicalId: 'P', properties },
  ]);
}

const caller = { principal: 'apigateway.amazonaws.com', sourceArn: `${API}/staging/POST/v1/pets` };

test.each(['create-pet', ARN, '000000000000:function:create-pet', 'function:create-pet', `${ARN}:$LATEST`])(
  'the function may be named %s',
  name => {
    expect(isPermitted(name)(ARN, caller)).toBe(true);
  },
);

test('the source of a permission may have wildcards', () => {
  expect(isPermitted(ARN, `${API}/*/POST/v1/pets`)(ARN, caller)).toBe(true);
});

test('a permission does not cover another function, principal or source', () => {
  const permitted = isPermitted(ARN, `${API}/staging/GET/*`);
  expect(permitted(ARN, caller)).toBe(false);
  expect(isPermitted(ARN)(ARN, { ...caller, principal: 'events.amazonaws.com' })).toBe(false);
  expect(isPermitted('other')(ARN, caller)).toBe(false);
});
