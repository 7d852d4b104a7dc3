import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeAll, expect, test } from 'vitest';
import { completeStacks } from '../infra/stack/other-environments/assembly.ts';
import { done, keyPropagation } from './operator.ts';
import { ownStaging, type Template } from './own-staging.ts';
import { awsClientOptions } from './running-service.ts';

const { runtime, environment, deployEdited } = ownStaging(completeStacks());

let functionName: string;
beforeAll(() => deployCanary(environment().url));

/** Deploys staging with a canary that calls this URL; that of API Gateway exists on AWS only. */
function deployCanary(url: string, edit: (template: Template) => void = () => {}): Promise<unknown> {
  return deployEdited(template => {
    const canary = Object.entries(template.Resources).find(([id]) => id.includes('CanaryCallApiFunction'));
    if (!canary) throw new Error('The stack has no canary.');
    functionName = `Petstore-Staging-${canary[0]}`;
    canary[1].Properties.Environment.Variables.BASE_URL = url;
    edit(template);
  });
}

/** What is wrong by a run of the canary; undefined if all is well. */
async function run(): Promise<string | undefined> {
  const lambda = new LambdaClient(awsClientOptions(runtime()));
  const { Payload, FunctionError } = await lambda.send(new InvokeCommand({ FunctionName: functionName }));
  lambda.destroy();
  return FunctionError && JSON.parse(Payload?.transformToString() ?? '{}').errorMessage;
}

const canaryKeys = async () => {
  const { keys } = await done(runtime(), 'staging', 'keys.list');
  return keys.filter(({ name }: { name: string }) => name === 'canary');
};

test('the canary creates its key in the first run, and lists pets with it in the next', async () => {
  expect(await run()).toBeUndefined();
  const [key, ...others] = await canaryKeys();
  expect(others).toEqual([]);
  expect(key).toMatchObject({ scopes: ['pets:read'], lastUsedAt: null });
  await keyPropagation();
  expect(await run()).toBeUndefined();
  expect((await canaryKeys())[0].lastUsedAt).not.toBeNull();
});

test('it fails where clients fail: without a grant, at another path, out of reach, without the usage plan', async () => {
  const { url } = environment();
  await deployCanary(url, ({ Resources }) => {
    const [role] = Object.entries(Resources).filter(([id]) => id.startsWith('DocsGetReferenceRole'));
    const [list] = Object.entries(Resources).filter(([id]) => id.startsWith('PetsListPetsFunction'));
    if (role && list) list[1].Properties.Role = { 'Fn::GetAtt': [role[0], 'Arn'] };
  });
  expect(await run()).toBe(`GET ${url}/pets?limit=1 returned 500.`);
  await deployCanary(`${url}/cats`);
  expect(await run()).toBe(`GET ${url}/cats/pets?limit=1 returned 404.`);
  await deployCanary('http://127.0.0.1:9');
  expect(await run()).toBe('GET http://127.0.0.1:9/pets?limit=1 got no response that can be read.');
  await deployCanary(url);
  await done(runtime(), 'staging', 'keys.withdraw');
  expect(await run()).toBe(`GET ${url}/pets?limit=1 returned 401.`);
  await done(runtime(), 'staging', 'keys.reconcile');
  await keyPropagation();
  expect(await run()).toBeUndefined();
});
