import { globalTableType, tableType } from '../dynamodb/table-type.ts';
import { ruleType } from '../events/rule-type.ts';
import { policyType } from '../iam/policy-type.ts';
import { roleType } from '../iam/role-type.ts';
import { functionType } from '../lambda/function-type.ts';
import { permissionType } from '../lambda/permission-type.ts';
import { logGroupType } from '../logs/log-group-type.ts';
import { hostedZoneType } from '../route53/hosted-zone-type.ts';
import { secretType } from '../secretsmanager/secret-type.ts';
import { stateMachineType } from '../stepfunctions/state-machine-type.ts';
import { apiGatewayTypes } from './api-gateway-types.ts';
import type { ResourceType } from './resource-type.ts';
import {
  alarmType,
  dashboardType,
  metadataType,
  metricFilterType,
  topicType,
} from './types-without-effect.ts';

/** Every resource type that is known on one machine. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  ...apiGatewayTypes,
  'AWS::CDK::Metadata': metadataType,
  'AWS::CloudWatch::Alarm': alarmType,
  'AWS::CloudWatch::Dashboard': dashboardType,
  'AWS::DynamoDB::GlobalTable': globalTableType,
  'AWS::DynamoDB::Table': tableType,
  'AWS::Events::Rule': ruleType,
  'AWS::IAM::Policy': policyType,
  'AWS::IAM::Role': roleType,
  'AWS::Lambda::Function': functionType,
  'AWS::Lambda::Permission': permissionType,
  'AWS::Logs::LogGroup': logGroupType,
  'AWS::Logs::MetricFilter': metricFilterType,
  'AWS::Route53::HostedZone': hostedZoneType,
  'AWS::SNS::Topic': topicType,
  'AWS::SecretsManager::Secret': secretType,
  'AWS::StepFunctions::StateMachine': stateMachineType,
};
