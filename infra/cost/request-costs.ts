import { ASSUMED, AUTHORIZATION, type MeasuredRequest, REQUESTS } from './measured.ts';
import { PRICES } from './prices.ts';
import { functionOf, resourcesOf, type Template } from './template.ts';

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;

/** What a million requests cost, in US dollars. */
export interface RequestCost {
  readonly name: string;
  readonly gateway: number;
  readonly lambda: number;
  readonly tables: number;
  readonly logs: number;
  readonly transfer: number;
  readonly total: number;
}

export function requestCosts(template: Template): RequestCost[] {
  return REQUESTS.map(request => requestCost(template, request));
}

function requestCost(template: Template, request: MeasuredRequest): RequestCost {
  const authorizations = request.isAuthorized ? ASSUMED.authorizationsPerRequest : 0;
  const logBytes =
    accessLogBytes(template) + ASSUMED.logEventBytes + (1 + authorizations) * ASSUMED.invocationLogBytes;
  const transferBytes = request.answerBytes + ASSUMED.headerBytes;
  const parts = {
    gateway: PRICES.restRequests.usd,
    lambda: invocationCost(template, request) + authorizations * invocationCost(template, AUTHORIZATION),
    tables:
      request.readUnits * PRICES.readUnits.usd +
      (request.writeUnits + authorizations * AUTHORIZATION.writeUnits) * PRICES.writeUnits.usd,
    logs: loggedCost(template, logBytes * MILLION),
    transfer: ((transferBytes * MILLION) / GIGABYTE) * PRICES.dataTransferOut.usd,
  };
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { name: request.name, ...parts, total };
}

interface Invocation {
  readonly construct: string;
  readonly cpuMs: number;
  readonly tableCalls: number;
}

/** A million invocations. Lambda bills every millisecond that has begun. */
export function invocationCost(template: Template, { construct, cpuMs, tableCalls }: Invocation): number {
  const memoryMb = Number(functionOf(template, construct).Properties.MemorySize ?? 128);
  const cpuShare = Math.min(1, memoryMb / ASSUMED.memoryMbOfOneCpu);
  const billedMs = Math.ceil(cpuMs / cpuShare + tableCalls * ASSUMED.tableCallMs);
  const gigabyteSeconds = (billedMs / 1000) * (memoryMb / 1024) * MILLION;
  return PRICES.lambdaRequests.usd + gigabyteSeconds * PRICES.lambdaDuration.usd;
}

/** Logs are paid for when they come, and then for each month until they expire. */
export function loggedCost(template: Template, bytes: number): number {
  const [, group] = resourcesOf(template, 'AWS::Logs::LogGroup')[0] ?? [];
  const months = Number(group?.Properties.RetentionInDays ?? 30) / 30;
  const storage = ASSUMED.logCompression * months * PRICES.logStorage.usd;
  return (bytes / GIGABYTE) * (PRICES.logIngestion.usd + storage);
}

/** Lengths of the values in the access log that differ from those of their variables. */
const TYPICAL_LENGTHS: Readonly<Record<string, number>> = {
  '$context.requestTime': 26,
  '$context.extendedRequestId': 16,
  '$context.domainName': 50,
  '$context.httpMethod': 4,
  '$context.resourcePath': 12,
  '$context.status': 3,
  '$context.responseLatency': 2,
  '$context.integrationLatency': 2,
  '$context.integration.requestId': 36,
  '$context.authorizer.latency': 1,
  '$context.authorizer.requestId': 1,
  '$context.responseLength': 4,
  '$context.authorizer.principalId': 28,
  '$context.identity.sourceIp': 13,
  '$context.error.responseType': 1,
};

/** The length of a line of the access log, by the format in the template. */
export function accessLogBytes(template: Template): number {
  const stages = resourcesOf(template, 'AWS::ApiGateway::Stage');
  const [, stage] = stages.find(([id]) => id.startsWith('PublicApi')) ?? [];
  const format = String(stage?.Properties.AccessLogSetting?.Format ?? '');
  const line = format.replaceAll(/\$context\.[\w.]+/g, variable => {
    const length = TYPICAL_LENGTHS[variable];
    if (length === undefined) throw new Error(`The length of ${variable} in the access log is not known.`);
    return 'x'.repeat(length);
  });
  return Buffer.byteLength(line);
}
