import {
  anyProperties,
  type Declaration,
  nameOf,
  type ResourceType,
  shortId,
} from '../cloudformation/resource-type.ts';

// The properties are read by declared-resources.ts, which refuses what is not supported.
const properties = anyProperties;

const REST_API_ID_LENGTH = 10;
const ID_LENGTH = 6;

const restApiId = (declaration: Declaration) => shortId(declaration, REST_API_ID_LENGTH);
const id = (declaration: Declaration) => shortId(declaration, ID_LENGTH);

function withId(attribute: string): ResourceType {
  return { properties, ref: id, attributes: { [attribute]: id } };
}

export const accountType = withId('Id');
export const authorizerType = withId('AuthorizerId');
export const deploymentType = withId('DeploymentId');
export const gatewayResponseType = withId('Id');
export const methodType: ResourceType = { properties, ref: id };
export const apiResourceType = withId('ResourceId');
export const restApiType: ResourceType = {
  properties,
  ref: restApiId,
  attributes: {
    RestApiId: restApiId,
    RootResourceId: declaration => `${restApiId(declaration)}-root`,
  },
};
export const stageType: ResourceType = {
  properties,
  ref: declaration => nameOf(declaration, 'StageName'),
};
export const usagePlanType = withId('Id');
