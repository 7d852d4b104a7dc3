import { API_GATEWAY_TYPES } from './apigateway/declared-resources.ts';
import type { ResourceType } from './cloudformation/resource-type.ts';
import { tableType } from './dynamodb/tables.ts';
import { ruleType } from './events/rules.ts';
import { managedPolicyType, policyType, roleType } from './iam/roles.ts';
import { INERT_RESOURCE_TYPES } from './inert-resource-types.ts';
import { functionType } from './lambda/function-configuration.ts';
import { permissionType } from './lambda/permissions.ts';
import { logGroupType, metricFilterType, queryDefinitionType } from './logs/log-resource-types.ts';
import { hostedZoneType } from './route53/hosted-zones.ts';
import { secretType } from './secrets.ts';
import { stateMachineType } from './stepfunctions/state-machines.ts';
import { subscriptionType, topicType } from './topics.ts';

/** Every resource type that the local AWS supports: those of the synthesized stacks. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  ...API_GATEWAY_TYPES,
  ...INERT_RESOURCE_TYPES,
  'AWS::DynamoDB::Table': tableType,
  'AWS::Events::Rule': ruleType,
  'AWS::IAM::ManagedPolicy': managedPolicyType,
  'AWS::IAM::Policy': policyType,
  'AWS::IAM::Role': roleType,
  'AWS::Lambda::Function': functionType,
  'AWS::Lambda::Permission': permissionType,
  'AWS::Logs::LogGroup': logGroupType,
  'AWS::Logs::MetricFilter': metricFilterType,
  'AWS::Logs::QueryDefinition': queryDefinitionType,
  'AWS::Route53::HostedZone': hostedZoneType,
  'AWS::SNS::Subscription': subscriptionType,
  'AWS::SNS::Topic': topicType,
  'AWS::SecretsManager::Secret': secretType,
  'AWS::StepFunctions::StateMachine': stateMachineType,
};
