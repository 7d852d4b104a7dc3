import { apiChanges } from './rules/api-changes.ts';
import { eventChanges } from './rules/event-changes.ts';
import { flowChanges } from './rules/flow-changes.ts';
import { functionChanges } from './rules/function-changes.ts';
import { gatewayAnswerChanges } from './rules/gateway-answer-changes.ts';
import { grantChanges } from './rules/grant-changes.ts';
import { monitoringChanges } from './rules/monitoring-changes.ts';
import { storageChanges } from './rules/storage-changes.ts';
import { isEffective, type Rules, type Template, type TemplateMutant } from './template-mutant.ts';

const RULES: Rules = {
  ...apiChanges,
  ...gatewayAnswerChanges,
  ...grantChanges,
  ...functionChanges,
  ...storageChanges,
  ...eventChanges,
  ...flowChanges,
  ...monitoringChanges,
};

/** Every mutant of a template, in the order of its resources; the outputs come last. */
export function templateMutants(template: Template): TemplateMutant[] {
  const ofResources = Object.entries(template.Resources).flatMap(([logicalId, resource]) => {
    const changes = RULES[resource.Type]?.(resource, template, logicalId) ?? [];
    return changes
      .filter(change => isEffective(resource, change))
      .map(({ what, edits }) => ({
        id: `${stableName(logicalId)}: ${what}`,
        type: resource.Type,
        rule: `${resource.Type}: ${what.replace(/ \(.*\)$/, '')}`,
        resource: stableName(logicalId),
        edits: edits.map(edit => ({ ...edit, path: ['Resources', logicalId, ...edit.path] })),
      }));
  });
  const ofOutputs = Object.keys(template.Outputs).map(name => ({
    id: `output ${name}: removed`,
    type: 'Output',
    rule: 'Output: removed',
    resource: name,
    edits: [{ path: ['Outputs', name] }],
  }));
  return [...ofResources, ...ofOutputs];
}

/** The first mutant of each rule. */
export function oneOfEachRule(mutants: readonly TemplateMutant[]): TemplateMutant[] {
  const seen = new Set<string>();
  return mutants.filter(({ rule }) => !seen.has(rule) && seen.add(rule));
}

/** The logical id without what CDK derives from contents and what differs between the environments. */
export function stableName(logicalId: string): string {
  return logicalId
    .replace(/(Deployment)[0-9A-F]{8}[0-9a-f]{32}$/, '$1')
    .replace(/scalar[0-9a-f]{12}js/, 'scalarjs')
    .replace(/(AllowEventRule\w+?Function)[0-9A-F]+$/, '$1')
    .replace(/[0-9A-F]{8}$/, '')
    .replaceAll(/[0-9A-F]{8}(?=[A-Z])/g, '')
    .replaceAll(/Production|Staging/g, '')
    .replaceAll(/(Stage)(production|staging)/g, '$1');
}
