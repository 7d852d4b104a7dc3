/**
 * Amazon API Gateway REST APIs, REGIONAL, as a synthesized template declares them.
 *
 * On AWS the host name addresses an API. Here all APIs share a port, and the stage name selects the API: it is the first
 * segment of the path, as on AWS (/production/v1/pets).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Resource } from '../cloudformation/resource-type.ts';
import type { CompleteResponse, UnreadableRequest } from '../host/unreadable-requests.ts';
import {
  type Authorizer,
  type Declared,
  type DeclaredResources,
  declaredResources,
  type GatewayResponse,
  type Stage as StageProperties,
} from './declared-resources.ts';
import {
  beginExchange,
  complete,
  hasValidHost,
  mappedTarget,
  type RequestTarget,
  requestTarget,
  send,
  sendComplete,
} from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { gatewayResponses } from './gateway-responses.ts';
import type { GatewayServices } from './gateway-services.ts';
import { type Stage, stage } from './stage.ts';
import { type UsagePlan, usagePlan } from './usage-plans.ts';

/** The time-outs are not multiplied and the clock is that of the machine, unless they are given. */
export interface RestApiServices
  extends Omit<GatewayServices, 'patience' | 'now'>,
    Partial<Pick<GatewayServices, 'patience' | 'now'>> {
  /** Whether an API is reached by its custom domain names only. */
  isDefaultEndpointClosed(apiId: string): boolean;
}

export interface RestApis {
  /** Serves a request to /<stage name>/<path>. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Serves a request to a custom domain name by the stage that the name is mapped to. Never throws. */
  handleMapped(mapping: StageMapping | undefined, request: IncomingMessage, response: ServerResponse): void;
  /** Responds to a request that cannot be read with a gateway response of its stage or, if that is unknown, of any. */
  respondToUnreadable(request: UnreadableRequest, mapping?: StageMapping): CompleteResponse;
  /** The API of each stage, by the name of the stage. */
  readonly stages: ReadonlyMap<string, { apiId: string }>;
  readonly usagePlans: readonly UsagePlan[];
  /** The gateway responses that an API customises. */
  gatewayResponsesOf(apiId: string): readonly GatewayResponse[];
  authorizersOf(apiId: string): readonly Declared<Authorizer>[];
  methodSettingsOf(apiId: string, stageName: string): StageProperties['MethodSettings'];
  /** Empties the authorizer cache of a stage (FlushStageAuthorizersCache). */
  flushAuthorizersCache(apiId: string, stageName: string): void;
}

/** The stage that a custom domain name is mapped to. The paths of its requests do not contain the stage. */
export interface StageMapping {
  readonly apiId: string;
  readonly stageName: string;
}

/** Serves the APIs that the stacks declare. Throws an error of one line for what is not supported. */
export function restApis(resources: readonly Resource[], services: RestApiServices): RestApis {
  const gatewayServices: GatewayServices = { patience: 1, now: Date.now, ...services };
  const declared = declaredResources(resources);
  requireConsistency(declared);
  const usagePlans = declared.usagePlans.map(plan => usagePlan(plan, gatewayServices.now));
  const stages = declaredStages(declared, usagePlans, gatewayServices);
  const [anyStage] = stages.values();
  /** The APIs that are declared without a default endpoint. */
  const closed = new Set(
    declared.restApis
      .filter(({ properties }) => properties.DisableExecuteApiEndpoint)
      .map(({ physicalId }) => physicalId),
  );
  function handle(request: IncomingMessage, response: ServerResponse, { target, called }: Call): void {
    // A client may disconnect at any moment: without a listener the error would end the process.
    request.on('error', () => {});
    response.on('error', () => {});
    if (!hasValidHost(request)) {
      const fault = { socket: request.socket, status: 400, method: request.method, url: request.url };
      response.shouldKeepAlive = false;
      sendComplete(unreadable(fault, called ?? anyStage, gatewayServices), request.method, response);
      return;
    }
    serve(request, response, { target, called }, gatewayServices).catch(error => {
      // For example the access log cannot be written, which must not affect the response.
      process.emitWarning(error);
      if (!response.writableEnded) response.destroy();
    });
  }
  return {
    stages,
    usagePlans,
    gatewayResponsesOf: apiId =>
      declared.gatewayResponses
        .map(({ properties }) => properties)
        .filter(({ RestApiId }) => RestApiId === apiId),
    authorizersOf: apiId => declared.authorizers.filter(({ properties }) => properties.RestApiId === apiId),
    methodSettingsOf: (apiId, stageName) =>
      declared.stages
        .map(({ properties }) => properties)
        .filter(({ RestApiId, StageName }) => RestApiId === apiId && StageName === stageName)
        .flatMap(({ MethodSettings }) => MethodSettings),
    handle(request, response) {
      const target = requestTarget(request.url ?? '/');
      const found = stages.get(target.stageName);
      const isClosed =
        found !== undefined && (closed.has(found.apiId) || services.isDefaultEndpointClosed(found.apiId));
      handle(request, response, { target, called: isClosed ? undefined : found });
    },
    handleMapped(mapping, request, response) {
      const mapped = stages.get(mapping?.stageName ?? '');
      const called = mapped?.apiId === mapping?.apiId ? mapped : undefined;
      handle(request, response, {
        target: mappedTarget(request.url ?? '/', mapping?.stageName ?? ''),
        called,
      });
    },
    respondToUnreadable(request, mapping) {
      const stageName = mapping?.stageName ?? requestTarget(request.url ?? '/').stageName;
      return unreadable(request, stages.get(stageName) ?? anyStage, gatewayServices);
    },
    flushAuthorizersCache(apiId, stageName) {
      const flushed = stages.get(stageName);
      if (flushed?.apiId === apiId) flushed.flushAuthorizersCache();
    },
  };
}

/**
 * Rejects references to APIs and stages that do not exist, API keys where the API has no source for them, and logs where
 * the account has no role to write them.
 */
function requireConsistency(declared: DeclaredResources): void {
  const hasLogRole = declared.accounts.some(({ properties }) => properties.CloudWatchRoleArn !== undefined);
  for (const { properties, refuse } of hasLogRole ? [] : declared.stages) {
    const { AccessLogSetting, MethodSettings } = properties;
    const isLogged = MethodSettings.some(({ LoggingLevel = 'OFF' }) => LoggingLevel !== 'OFF');
    if (AccessLogSetting !== undefined || isLogged) {
      refuse('CloudWatch Logs role ARN must be set in account settings to enable logging');
    }
  }
  const apis = new Map(declared.restApis.map(({ physicalId, properties }) => [physicalId, properties]));
  const parts = [declared.resources, declared.methods, declared.authorizers, declared.gatewayResponses];
  for (const { properties, refuse } of [...parts, declared.stages].flat()) {
    if (!apis.has(properties.RestApiId)) refuse(`there is no API ${properties.RestApiId}`);
  }
  for (const { properties, refuse } of declared.methods) {
    if (properties.ApiKeyRequired && apis.get(properties.RestApiId)?.ApiKeySourceType !== 'AUTHORIZER') {
      refuse('ApiKeyRequired is supported only with the ApiKeySourceType AUTHORIZER of its API');
    }
  }
  for (const { properties, refuse } of declared.usagePlans) {
    for (const { ApiId, Stage } of properties.ApiStages) {
      const isDeclared = declared.stages.some(
        stage => stage.properties.RestApiId === ApiId && stage.properties.StageName === Stage,
      );
      if (!isDeclared) refuse(`there is no stage ${Stage} of the API ${ApiId}`);
    }
  }
}

function declaredStages(
  declared: DeclaredResources,
  usagePlans: readonly UsagePlan[],
  services: GatewayServices,
): ReadonlyMap<string, Stage> {
  const stages = new Map<string, Stage>();
  for (const candidate of declared.stages) {
    const { StageName } = candidate.properties;
    if (stages.has(StageName)) {
      candidate.refuse(`another API already has a stage ${StageName}, and all are served on one port`);
    }
    stages.set(StageName, stage(candidate, declared, usagePlans, services));
  }
  return stages;
}

/** A request's target and the stage it is for, if there is one. */
interface Call {
  readonly target: RequestTarget;
  readonly called: Stage | undefined;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { target, called }: Call,
  { accountId, now }: GatewayServices,
): Promise<void> {
  const names = { apiId: called?.apiId ?? '', stageName: target.stageName, accountId };
  const exchange = beginExchange(request, target, names, now());
  if (called === undefined) {
    return send({ status: 403, headers: [], body: '{"message":"Forbidden"}' }, exchange, response);
  }
  const sent = await called.serve(exchange, request);
  if (sent === undefined) return;
  send(sent, exchange, response);
  called.log(exchange, sent);
}

function unreadable(
  { socket, status, method, url }: UnreadableRequest,
  called: Stage | undefined,
  { accountId, now }: GatewayServices,
): CompleteResponse {
  const { apiId = '', stageName = '' } = called ?? {};
  const request = { method: method ?? '-', rawHeaders: [], httpVersion: '1.1', socket: socket as Socket };
  const target = { stageName, calledPath: url ?? '-', path: url ?? '-', query: '' };
  const exchange = beginExchange(request, target, { apiId, stageName, accountId }, now());
  const fault = new GatewayFault('DEFAULT_4XX', { status });
  return complete((called?.respond ?? gatewayResponses([]))(fault, exchange), exchange);
}
