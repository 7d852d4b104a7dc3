/**
 * Amazon API Gateway REST APIs, REGIONAL, as a synthesized template declares them.
 *
 * On AWS an API is addressed by its host name; here all APIs share a port, and the stage name, the first segment
 * of the path on AWS as well, tells them apart: /production/v1/pets.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Resource } from '../cloudformation/resource.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { send } from './answer.ts';
import { type DeclaredResources, declaredResources } from './declared-resources.ts';
import { beginExchange } from './exchange.ts';
import type { FindApiKey, GatewayServices } from './gateway-services.ts';
import { requestTarget } from './request-target.ts';
import { type Stage, stage } from './stage.ts';
import { type UsagePlan, usagePlan } from './usage-plans.ts';

export interface RestApiServices {
  invoke: InvokeFunction;
  /** Takes one access log line. */
  writeLog(logGroupArn: string, line: string): void;
  findApiKey: FindApiKey;
  accountId: string;
  region: string;
  /** Milliseconds since 1970; Date.now unless a test sets the clock. */
  now?: () => number;
}

export interface RestApis {
  /** Serves one request; never rejects. The first path segment is the stage name: /production/v1/pets. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Stage name → API id, to print addresses. */
  readonly stages: ReadonlyMap<string, { apiId: string }>;
  readonly usagePlans: readonly UsagePlan[];
  /** Forgets cached authorizer answers of a stage (FlushStageAuthorizersCache). */
  flushAuthorizersCache(apiId: string, stageName: string): void;
}

/** Puts up the APIs among the resources of all stacks; throws one line that names what it does not know. */
export function restApis(resources: readonly Resource[], services: RestApiServices): RestApis {
  const gatewayServices: GatewayServices = {
    invoke: (functionArn, event, caller) => services.invoke(functionArn, event, caller),
    writeLog: (logGroupArn, line) => services.writeLog(logGroupArn, line),
    findApiKey: value => services.findApiKey(value),
    accountId: services.accountId,
    region: services.region,
    now: () => (services.now ?? Date.now)(),
  };
  const declared = declaredResources(resources);
  requireConsistency(declared);
  const usagePlans = declared.usagePlans.map(plan => usagePlan(plan, gatewayServices.now));
  const stages = declaredStages(declared, usagePlans, gatewayServices);
  return {
    stages,
    usagePlans,
    handle(request, response) {
      // A client may go away at any moment: without a listener the error would end the process.
      request.on('error', () => {});
      response.on('error', () => {});
      serve(request, response, stages, gatewayServices).catch(error => {
        // Such as an access log that cannot be written, which does not take the answer with it.
        process.emitWarning(error);
        if (!response.writableEnded) response.destroy();
      });
    },
    flushAuthorizersCache(apiId, stageName) {
      const flushed = stages.get(stageName);
      if (flushed?.apiId === apiId) flushed.flushAuthorizersCache();
    },
  };
}

/** Refuses what names an API or a stage that is not there, or asks of its API what that does not give. */
function requireConsistency(declared: DeclaredResources): void {
  const apis = new Map(declared.restApis.map(({ physicalId, properties }) => [physicalId, properties]));
  const parts = [declared.resources, declared.methods, declared.authorizers, declared.gatewayResponses];
  for (const { properties, refuse } of [...parts, declared.stages].flat()) {
    if (!apis.has(properties.RestApiId)) refuse(`there is no API ${properties.RestApiId}`);
  }
  for (const { properties, refuse } of declared.methods) {
    if (properties.ApiKeyRequired && apis.get(properties.RestApiId)?.ApiKeySourceType !== 'AUTHORIZER') {
      refuse('ApiKeyRequired is known only with the ApiKeySourceType AUTHORIZER of its API');
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

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  stages: ReadonlyMap<string, Stage>,
  { accountId, now }: GatewayServices,
): Promise<void> {
  const target = requestTarget(request.url ?? '/');
  const called = stages.get(target.stageName);
  const names = { apiId: called?.apiId ?? '', stageName: target.stageName, accountId };
  const exchange = beginExchange(request, target, names, now());
  if (called === undefined) {
    return send({ status: 403, headers: [], body: '{"message":"Forbidden"}' }, exchange, response);
  }
  const answer = await called.answer(exchange, request);
  if (answer === undefined) return;
  send(answer, exchange, response);
  called.log(exchange, answer);
}
