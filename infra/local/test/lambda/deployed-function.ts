import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCloudAssembly } from '../../cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../cloudformation/stack.ts';
import { developerKey } from '../../iam/principal.ts';
import type { FunctionNetwork } from '../../lambda/execution-environment.ts';
import { declaredFunctions, functionArn } from '../../lambda/function-configuration.ts';
import { LambdaFunctions } from '../../lambda/functions.ts';
import { LogGroups } from '../../logs/log-groups.ts';
import { RESOURCE_TYPES } from '../../resource-types.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { functionFixture, writeCloudAssembly } from '../cloud-assembly-fixture.ts';

export const ARN = functionArn('fn');

/** Deploys a function named fn with this source. */
export function deployed(
  source: string,
  properties: Record<string, unknown> = {},
  dnsResolvers: readonly [string, string] = ['127.0.0.1:1', '127.0.0.1:1'],
  network: Pick<FunctionNetwork, 'edge' | 'waitScale' | 'patience' | 'variables'> = {},
) {
  const folder = temporaryFolder();
  const reports: string[] = [];
  const logGroups = new LogGroups(join(folder, 'logs'));
  const functions = new LambdaFunctions({
    awsEndpoint: 'http://127.0.0.1:1',
    accessKey: developerKey(undefined),
    dnsResolvers,
    ...network,
    logGroups,
    report: line => reports.push(line),
  });
  const stop = async () => {
    await functions.stop();
    await logGroups.close();
  };
  onTestFinished(stop);
  const deploy = (asset: string, code: string, changed: Record<string, unknown> = properties) => {
    const assembly = join(folder, `assembly-${asset}`);
    writeCloudAssembly(
      assembly,
      { Zoo: { Resources: functionFixture('fn', asset, changed) } },
      { [asset]: code },
    );
    const { stacks, assets } = readCloudAssembly(assembly);
    const resources = stacks.flatMap(stack => resolveStack(stack, RESOURCE_TYPES).resources);
    functions.deploy(declaredFunctions(resources, assets), () => false);
  };
  deploy('first', source);
  return {
    functions,
    deploy,
    reports,
    invoke: async (event: unknown) => {
      const { payload, functionError } = await functions.invoke(ARN, JSON.stringify(event));
      return { result: JSON.parse(payload), functionError };
    },
    log: async () => {
      await stop();
      const lines = readFileSync(join(folder, 'logs', 'aws-lambda-fn.log'), 'utf8').split('\n');
      // The log group writes the time of each event before it.
      return lines.map(line => line.replace(/^\S+Z /, ''));
    },
  };
}
