import { apiGatewayService } from './apigateway-control/api-gateway-service.ts';
import type { AwsService } from './aws-api/service-api.ts';
import type { Deployments } from './deployments.ts';
import { eventsService } from './events/events-service.ts';
import { lambdaService } from './lambda/lambda-service.ts';
import { logsService } from './logs/logs-service.ts';
import { route53Service } from './route53/route53-service.ts';
import type { Services } from './services.ts';
import { stepFunctionsService } from './stepfunctions/step-functions-service.ts';

/** The services of the AWS endpoint, by their name in the credential scope. */
export function awsServices(
  services: Services,
  deployments: Deployments,
  waitScale: number,
): Readonly<Record<string, AwsService>> {
  const {
    apiKeys,
    restApiSettings,
    asynchronous,
    bus,
    customDomains,
    dynamoDb,
    executions,
    functions,
    hostedZones,
    logGroups,
  } = services;
  const restApis = () => deployments.current?.restApis;
  return {
    acm: customDomains.acm,
    apigateway: apiGatewayService({ restApis, restApiSettings, apiKeys, waitScale, ...customDomains }),
    dynamodb: dynamoDb,
    // The sender does not wait for the targets of the rules.
    events: eventsService({ accept: event => void bus.put(event) }),
    lambda: lambdaService(functions, asynchronous),
    logs: logsService({ logGroups, waitScale, now: Date.now }),
    states: stepFunctionsService({ executions, waitScale }),
    route53: route53Service({ hostedZones }),
  };
}
