import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REGIONAL } from '../testing/served-api.ts';

export interface StackFixture {
  readonly Resources: Readonly<Record<string, unknown>>;
  readonly [section: string]: unknown;
}

/** Writes a cloud assembly of stacks and of function assets (key → source of index.cjs), as cdk synth would. */
export function writeCloudAssembly(
  folder: string,
  stacks: Readonly<Record<string, StackFixture>>,
  assets: Readonly<Record<string, string>> = {},
): string {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  const artifacts: Record<string, unknown> = {
    Assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
    Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
  };
  for (const [name, template] of Object.entries(stacks)) {
    artifacts[name] = { type: 'aws:cloudformation:stack', properties: { templateFile: `${name}.json` } };
    write(`${name}.json`, template);
  }
  const files: Record<string, unknown> = {};
  for (const [key, source] of Object.entries(assets)) {
    mkdirSync(join(folder, `asset.${key}`), { recursive: true });
    writeFileSync(join(folder, `asset.${key}`, 'index.cjs'), source);
    files[key] = {
      source: { path: `asset.${key}`, packaging: 'zip' },
      destinations: { here: { bucketName: 'assets', objectKey: `${key}.zip` } },
    };
  }
  write('assets.json', { files });
  write('manifest.json', { version: '55.0.0', artifacts });
  return folder;
}

/** The resources of a function with a role of its own. */
export function functionFixture(
  id: string,
  asset: string,
  properties: Readonly<Record<string, unknown>> = {},
  statements: readonly unknown[] = [],
): Record<string, unknown> {
  return {
    [`${id}Role`]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {},
        ...(statements.length > 0 && {
          Policies: [
            { PolicyName: 'Inline', PolicyDocument: { Version: '2012-10-17', Statement: statements } },
          ],
        }),
      },
    },
    [id]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: id,
        Code: { S3Bucket: 'assets', S3Key: `${asset}.zip` },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        Role: { 'Fn::GetAtt': [`${id}Role`, 'Arn'] },
        ...properties,
      },
    },
  };
}

const PROJECT = fileURLToPath(new URL('../../../package.json', import.meta.url));

/**
 * GET /staging/pets?<operation>=<id> performs PutItem or DeleteItem with the real SDK client; until=<url> waits for
 * a response. As an authorizer the function takes the token for the value of an API key.
 */
const PETS = `
const { createRequire } = require('node:module');
const sdk = createRequire(${JSON.stringify(PROJECT)})('@aws-sdk/client-dynamodb');
const client = new sdk.DynamoDBClient({ maxAttempts: 1 });
const TableName = process.env.PETS_TABLE;
const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
exports.handler = async ({ queryStringParameters: query, authorizationToken }) => {
  if (authorizationToken) return { principalId: 'p', policyDocument, usageIdentifierKey: authorizationToken };
  try {
    if (query.put) await client.send(new sdk.PutItemCommand({ TableName, Item: { id: { S: query.put } } }));
    if (query.delete) await client.send(new sdk.DeleteItemCommand({ TableName, Key: { id: { S: query.delete } } }));
    if (query.until) await fetch(query.until);
    return { statusCode: 200, body: process.env.GREETING + ' ' + process.env.SECRET.length };
  } catch (error) {
    return { statusCode: 500, body: error.name };
  }
};`;

export interface ZooOptions {
  readonly greeting?: string;
  readonly actions?: readonly string[];
  /** Zoo-Table by default. */
  readonly tableName?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Writes an assembly with a small stack that has a bit of everything. */
export function writeZooAssembly(folder: string, options: ZooOptions = {}): string {
  return writeCloudAssembly(folder, { Zoo: zoo(options) }, { pets: PETS });
}

/** What makes the pets ask for an API key of a usage plan with the id of Ref Plan. */
export const KEYED: Readonly<Record<string, unknown>> = {
  Api: {
    Type: 'AWS::ApiGateway::RestApi',
    Properties: { Name: 'Zoo', ApiKeySourceType: 'AUTHORIZER', ...REGIONAL },
  },
  Authorizer: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      RestApiId: { Ref: 'Api' },
      Name: 'keys',
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerUri: invocationUri('Pets'),
    },
  },
  AuthorizerPermission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Pets', 'Arn'] },
      Principal: 'apigateway.amazonaws.com',
    },
  },
  Method: petsMethod({
    AuthorizationType: 'CUSTOM',
    AuthorizerId: { Ref: 'Authorizer' },
    ApiKeyRequired: true,
  }),
  Plan: {
    Type: 'AWS::ApiGateway::UsagePlan',
    Properties: {
      UsagePlanName: 'Zoo',
      ApiStages: [{ ApiId: { Ref: 'Api' }, Stage: { Ref: 'Stage' } }],
      Throttle: { RateLimit: 100, BurstLimit: 100 },
    },
  },
};

function invocationUri(functionId: string) {
  const uri = 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/';
  return { 'Fn::Join': ['', [uri, { 'Fn::GetAtt': [functionId, 'Arn'] }, '/invocations']] };
}

function petsMethod(authorization: Readonly<Record<string, unknown>>) {
  return {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      RestApiId: { Ref: 'Api' },
      ResourceId: { Ref: 'Resource' },
      HttpMethod: 'GET',
      Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: invocationUri('Pets') },
      ...authorization,
    },
  };
}

function zoo({
  greeting = 'hello',
  actions = ['dynamodb:PutItem'],
  tableName,
  more = {},
}: ZooOptions): StackFixture {
  const RestApiId = { Ref: 'Api' };
  const functionArn = { 'Fn::GetAtt': ['Pets', 'Arn'] };
  return {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          ...(tableName && { TableName: tableName }),
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        },
      },
      Secret: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: { GenerateSecretString: { PasswordLength: 24, ExcludePunctuation: true } },
      },
      ...functionFixture(
        'Pets',
        'pets',
        {
          Timeout: 10,
          MemorySize: 256,
          Environment: {
            Variables: {
              PETS_TABLE: { Ref: 'Table' },
              GREETING: greeting,
              SECRET: { 'Fn::Sub': `{{resolve:secretsmanager:\${Secret}:SecretString:::}}` },
            },
          },
        },
        [{ Effect: 'Allow', Action: actions, Resource: { 'Fn::GetAtt': ['Table', 'Arn'] } }],
      ),
      Permission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          Action: 'lambda:InvokeFunction',
          FunctionName: functionArn,
          Principal: 'apigateway.amazonaws.com',
          SourceArn: {
            'Fn::Sub': `arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Api}/*/GET/pets`,
          },
        },
      },
      Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'Zoo', ...REGIONAL } },
      Resource: {
        Type: 'AWS::ApiGateway::Resource',
        Properties: {
          RestApiId,
          ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
          PathPart: 'pets',
        },
      },
      Method: petsMethod({ AuthorizationType: 'NONE' }),
      Deployment: { Type: 'AWS::ApiGateway::Deployment', Properties: { RestApiId }, DependsOn: ['Method'] },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        Properties: { RestApiId, DeploymentId: { Ref: 'Deployment' }, StageName: 'staging' },
      },
      ...more,
    },
    Outputs: {
      BaseUrl: {
        Value: { 'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/\${Stage}/` },
      },
    },
  };
}
