import * as z from 'zod';
import { type Declaration, nameOf, type ResourceType, shortId } from './resource-type.ts';

/** The folder apigateway reads the properties of its own types and refuses what it does not know of them. */
const properties = z.record(z.string(), z.unknown());

const REST_API_ID_LENGTH = 10;
const ID_LENGTH = 6;

const restApiId = (declaration: Declaration) => shortId(declaration, REST_API_ID_LENGTH);
const id = (declaration: Declaration) => shortId(declaration, ID_LENGTH);

function identified(...attributes: readonly string[]): ResourceType {
  return { properties, ref: id, attributes: Object.fromEntries(attributes.map(name => [name, id])) };
}

export const apiGatewayTypes: Readonly<Record<string, ResourceType>> = {
  'AWS::ApiGateway::Account': identified('Id'),
  'AWS::ApiGateway::ApiKey': identified('APIKeyId'),
  'AWS::ApiGateway::Authorizer': identified('AuthorizerId'),
  'AWS::ApiGateway::Deployment': identified('DeploymentId'),
  'AWS::ApiGateway::GatewayResponse': identified('Id'),
  'AWS::ApiGateway::Method': identified(),
  'AWS::ApiGateway::Model': { properties, ref: declaration => nameOf(declaration, 'Name') },
  'AWS::ApiGateway::RequestValidator': identified('RequestValidatorId'),
  'AWS::ApiGateway::Resource': identified('ResourceId'),
  'AWS::ApiGateway::RestApi': {
    properties,
    ref: restApiId,
    attributes: {
      RestApiId: restApiId,
      RootResourceId: declaration => `${restApiId(declaration)}-root`,
    },
  },
  'AWS::ApiGateway::Stage': { properties, ref: declaration => nameOf(declaration, 'StageName') },
  'AWS::ApiGateway::UsagePlan': identified('Id'),
  'AWS::ApiGateway::UsagePlanKey': identified('Id'),
};
