import type { InvocationResult } from '../lambda/invocation.ts';
import type { Declared } from './declared-resources.ts';
import { GatewayFault } from './gateway-fault.ts';
import { executeApiArn, type GatewayServices } from './gateway-services.ts';
import type { Integrate, MethodRequest } from './integration.ts';
import { functionErrorMessage } from './invocation-payload.ts';
import { proxyEvent } from './proxy-event.ts';
import { proxyResponse } from './proxy-response.ts';
import { functionArn, type Method } from './resource-properties.ts';

/** AWS_PROXY: the function receives the whole request and returns the whole answer. */
export function proxyIntegration(method: Declared<Method>, services: GatewayServices): Integrate {
  const { Uri, IntegrationHttpMethod, TimeoutInMillis } = method.properties.Integration;
  if (Uri === undefined) return method.refuse('the property Integration.Uri is missing');
  if (IntegrationHttpMethod === undefined) {
    return method.refuse('the property Integration.IntegrationHttpMethod is missing');
  }
  const target = functionArn(Uri);
  return async request => {
    const { variables } = request.exchange;
    const startedAtMs = services.now();
    try {
      const invocation = withinTime(invoke(target, request, services), services.patience * TimeoutInMillis);
      const { payload, functionError, requestId } = await invocation.finally(() => {
        const latencyMs = String(services.now() - startedAtMs);
        variables.set('integrationLatency', latencyMs);
        variables.set('integration.latency', latencyMs);
      });
      if (requestId !== undefined) variables.set('integration.requestId', requestId);
      // Lambda's API answers 200 whenever the function ran, even if it threw.
      variables.set('integration.integrationStatus', '200');
      variables.set('integrationStatus', '200');
      if (functionError !== undefined) throw new Error(functionErrorMessage(payload) ?? functionError);
      const answer = proxyResponse(payload, request.isBinaryApi);
      if (answer === undefined) throw new Error('Malformed Lambda proxy response');
      variables.set('integration.status', String(answer.status));
      return answer;
    } catch (cause) {
      if (cause instanceof Error) variables.set('integrationErrorMessage', cause.message);
      if (cause instanceof GatewayFault) throw cause;
      throw new GatewayFault('DEFAULT_5XX', { status: 502, cause });
    }
  };
}

async function invoke(
  target: string,
  request: MethodRequest,
  services: GatewayServices,
): Promise<InvocationResult> {
  const { exchange, resourcePath } = request;
  const { apiId, stageName, httpMethod } = exchange;
  const permittedPath = resourcePath.replaceAll(/\{[^{}]*\}/g, '*');
  const sourceArn = `${executeApiArn(services, apiId)}/${stageName}/${httpMethod}${permittedPath}`;
  const caller = { principal: 'apigateway.amazonaws.com', sourceArn };
  return services.invoke(target, proxyEvent(request, services.accountId), caller);
}

/** Stops waiting for the answer after the time-out. The function keeps running, as on AWS. */
async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GatewayFault('INTEGRATION_TIMEOUT')), timeoutMs);
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}
