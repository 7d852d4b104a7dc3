import { TEST_KEY } from '../../../../../infra/local/testing/served-endpoint.ts';
import { serveLogs } from '../../../../../infra/local/testing/served-logs.ts';
import { petstoreHere } from '../../petstore-here.ts';
import type { Line } from '../../run-petstore.ts';

export const REQUEST_ID = 'JKJaXmPLvHcESHA=';

/** Log groups as CloudFormation names them. */
export const ACCESS = 'Petstore-Staging-PublicApiAccessLogsE9C58087-Ab3dEf6hIj9k';
export const REDIRECTS = 'Petstore-Staging-RedirectsAccessLogs9051AE12-Ab3dEf6hIj9k';
export const AUTHORIZE = 'Petstore-Staging-ApiKeysAuthorizeLogsCDDD0712-Ab3dEf6hIj9k';
export const CREATE_PET = 'Petstore-Staging-PetsCreatePetLogsE3D99F62-Ab3dEf6hIj9k';
const LIST_PETS = 'Petstore-Staging-PetsListPetsLogs08D47500-Ab3dEf6hIj9k';
const OF_OTHERS = 'Petstore-Production-PetsListPetsLogs08D47500-Ab3dEf6hIj9k';

export const GROUPS = [ACCESS, REDIRECTS, AUTHORIZE, CREATE_PET, LIST_PETS, OF_OTHERS];

/** CloudWatch Logs with the log groups of staging, and the command that reads them as on AWS. */
export async function servedEnvironment(options: { readonly scanBytes?: number } = {}) {
  const logs = await serveLogs(GROUPS, options);
  const environment = {
    AWS_ACCESS_KEY_ID: TEST_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_KEY.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: logs.endpoint,
  };
  return Object.assign(logs, {
    environment,
    run: (line: Line) => petstoreHere(line, environment),
  });
}

/** A line of the access log; fields that are not given have no value. */
export function accessLine(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    time: '15/Nov/2026:12:00:00 +0000',
    requestId: REQUEST_ID,
    host: 'abcdefghij.execute-api.eu-central-1.amazonaws.com',
    method: 'POST',
    resource: '/v1/pets',
    status: '201',
    latencyMs: '34',
    functionLatencyMs: '-',
    functionRequestId: '-',
    authorizerLatencyMs: '-',
    authorizerRequestId: '-',
    responseBytes: '70',
    keyId: '-',
    keyRefusal: '-',
    sourceIp: '203.0.113.9',
    gatewayError: '-',
    ...fields,
  });
}

export const functionLine = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ timestamp: '2026-11-15T12:00:00.000Z', level: 'INFO', ...fields });
