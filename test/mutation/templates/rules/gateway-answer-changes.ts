import type { Rules } from '../template-mutant.ts';
import { without, withValue } from '../template-mutant.ts';

/** Answers that the gateway gives itself, by gateway responses. The answers by methods are in api-changes.ts. */
export const gatewayAnswerChanges: Rules = {
  'AWS::ApiGateway::GatewayResponse': ({ Properties }) => [
    { what: 'removed', edits: [{ path: [] }] },
    withValue('another status', '418', 'Properties', 'StatusCode'),
    without('the status of AWS', 'Properties', 'StatusCode'),
    withValue(
      'another body',
      '{"message":$context.error.messageString}',
      ...['Properties', 'ResponseTemplates', 'application/json'],
    ),
    without('the body of AWS', 'Properties', 'ResponseTemplates'),
    ...Object.keys(Properties.ResponseParameters).map(header =>
      without(`no header (${header.split('.').at(-1)})`, 'Properties', 'ResponseParameters', header),
    ),
  ],
};
