import { expect, test } from 'vitest';
import { ofType } from '../../../infra/local/template.ts';
import { readAccessLine } from '../../../infra/operator/logs/access-line.ts';
import { STACKS, templateOf } from './templates.ts';

test.each(STACKS)(
  'the APIs of %s write an access log with every field that the petstore command reads',
  stack => {
    for (const { Properties } of ofType(templateOf(stack), 'AWS::ApiGateway::Stage').values()) {
      const line = Properties.AccessLogSetting.Format.replaceAll(/\$context\.[\w.]+/g, '201');
      expect(readAccessLine(line)).toEqual({
        method: '201',
        resource: '201',
        status: 201,
        host: '201',
        keyId: '201',
        sourceIp: '201',
        latencyMs: 201,
        functionLatencyMs: 201,
        authorizerLatencyMs: 201,
        responseBytes: 201,
        functionRequestId: '201',
        authorizerRequestId: '201',
        gatewayError: '201',
        keyRefusal: '201',
        lambdaStatus: '201',
      });
      expect(JSON.parse(line)).toMatchObject({ time: '201', requestId: '201' });
    }
  },
);
