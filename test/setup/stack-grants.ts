import { readCloudAssembly } from '../../infra/local/cloudformation/cloud-assembly.ts';
import type { Resource } from '../../infra/local/cloudformation/resource-type.ts';
import { resolveStack } from '../../infra/local/cloudformation/stack.ts';
import { roleStatements } from '../../infra/local/iam/roles.ts';
import { RESOURCE_TYPES } from '../../infra/local/resource-types.ts';
import type { Grant, StackGrants } from './grant-usage.ts';

/** What the roles of a cloud assembly are allowed. */
export function stackGrants(assembly: string): StackGrants[] {
  return readCloudAssembly(assembly).stacks.map(artifact => {
    const { name, resources } = resolveStack(artifact, RESOURCE_TYPES);
    return { stack: name, grants: grantsOf(resources), nameOf: stackNames(name, resources) };
  });
}

function grantsOf(resources: readonly Resource[]): Grant[] {
  return [...roleStatements(resources)].flatMap(([{ logicalId: role }, statements]) =>
    statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        Action.flatMap(action => Resource.map(resource => ({ role, action, resource }))),
      ),
  );
}

/** Names resources by their logical ids, without the hashes, and calls stack and stage <stack> and <stage>. */
function stackNames(stack: string, resources: readonly Resource[]): StackGrants['nameOf'] {
  const logicalIds = resources
    // A stage's id is its name, which is also a word in other names.
    .filter(({ type }) => type !== 'AWS::ApiGateway::Stage')
    .map(({ physicalId, logicalId }) => ({ physicalId, logicalId }))
    .toSorted((a, b) => b.physicalId.length - a.physicalId.length);
  const stage = stack.slice(stack.lastIndexOf('-') + 1).toLowerCase();
  return text => {
    const named = logicalIds.reduce(
      (result, { physicalId, logicalId }) => result.replaceAll(physicalId, logicalId),
      text,
    );
    return named
      .replace(/^arn:[^:]*:[^:]*:[^:]*:[^:]*:/, '')
      .replaceAll(stack, '<stack>')
      .replaceAll(new RegExp(`\\b${stage}\\b`, 'g'), '<stage>')
      .replaceAll(/(?<=[A-Za-z])[0-9A-F]{8}(?![0-9A-Za-z])/g, '');
  };
}
