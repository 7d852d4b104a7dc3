import { readCloudAssembly } from '../../../../infra/local/cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../../../infra/local/cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../../../infra/local/resource-types.ts';
import type { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import { declaredHostedZones, deployHostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A stack whose resource Zone is a hosted zone, and what refers to that. */
export function declared(Resources: Readonly<Record<string, unknown>>) {
  const NameServers = { 'Fn::GetAtt': ['Zone', 'NameServers'] };
  const Outputs = {
    Ref: { Value: { Ref: 'Zone' } },
    Id: { Value: { 'Fn::GetAtt': ['Zone', 'Id'] } },
    NameServers: { Value: { 'Fn::Join': [' ', NameServers] } },
    Second: { Value: { 'Fn::Select': [1, NameServers] } },
  };
  const { stacks } = readCloudAssembly(
    writeCloudAssembly(temporaryFolder(), { Zoo: { Resources, Outputs } }),
  );
  const resolved = stacks.map(stack => resolveStack(stack, RESOURCE_TYPES));
  return {
    outputs: resolved[0]?.outputs,
    deploy: (zones: HostedZones) =>
      deployHostedZones(zones, declaredHostedZones(resolved.flatMap(({ resources }) => resources))),
  };
}
