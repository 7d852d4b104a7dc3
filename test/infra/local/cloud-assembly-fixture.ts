import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
