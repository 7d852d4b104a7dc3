import {
  accountType,
  apiResourceType,
  authorizerType,
  deploymentType,
  gatewayResponseType,
  methodType,
  restApiType,
  stageType,
  usagePlanType,
} from './apigateway/api-gateway-types.ts';
import type { ResourceType } from './cloudformation/resource-type.ts';
import { alarmType, dashboardType } from './cloudwatch/cloudwatch-types.ts';
import { tableType } from './dynamodb/tables.ts';
import { ruleType } from './events/rules.ts';
import { policyType, roleType } from './iam/roles.ts';
import { keyType } from './kms/key-type.ts';
import { functionType } from './lambda/function-configuration.ts';
import { permissionType } from './lambda/permissions.ts';
import { logGroupType, metricFilterType, queryDefinitionType } from './logs/log-resource-types.ts';
import { hostedZoneType } from './route53/hosted-zones.ts';
import { secretType } from './secretsmanager/secret-type.ts';
import { topicPolicyType, topicType } from './sns/topic-type.ts';
import { queuePolicyType, queueType } from './sqs/queue-type.ts';
import { stateMachineType } from './stepfunctions/state-machines.ts';
import { webAclAssociationType, webAclType } from './wafv2/web-acl-type.ts';

/** Every resource type that the local runtime supports: those of the synthesized stacks. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGateway::Account': accountType,
  'AWS::ApiGateway::Authorizer': authorizerType,
  'AWS::ApiGateway::Deployment': deploymentType,
  'AWS::ApiGateway::GatewayResponse': gatewayResponseType,
  'AWS::ApiGateway::Method': methodType,
  'AWS::ApiGateway::Resource': apiResourceType,
  'AWS::ApiGateway::RestApi': restApiType,
  'AWS::ApiGateway::Stage': stageType,
  'AWS::ApiGateway::UsagePlan': usagePlanType,
  'AWS::CloudWatch::Alarm': alarmType,
  'AWS::CloudWatch::Dashboard': dashboardType,
  'AWS::DynamoDB::Table': tableType,
  'AWS::Events::Rule': ruleType,
  'AWS::IAM::Policy': policyType,
  'AWS::IAM::Role': roleType,
  'AWS::KMS::Key': keyType,
  'AWS::Lambda::Function': functionType,
  'AWS::Lambda::Permission': permissionType,
  'AWS::Logs::LogGroup': logGroupType,
  'AWS::Logs::MetricFilter': metricFilterType,
  'AWS::Logs::QueryDefinition': queryDefinitionType,
  'AWS::Route53::HostedZone': hostedZoneType,
  'AWS::SNS::Topic': topicType,
  'AWS::SNS::TopicPolicy': topicPolicyType,
  'AWS::SQS::Queue': queueType,
  'AWS::SQS::QueuePolicy': queuePolicyType,
  'AWS::SecretsManager::Secret': secretType,
  'AWS::StepFunctions::StateMachine': stateMachineType,
  'AWS::WAFv2::WebACL': webAclType,
  'AWS::WAFv2::WebACLAssociation': webAclAssociationType,
};
