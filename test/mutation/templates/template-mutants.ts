import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiChanges } from './rules/api.ts';
import { functionRules } from './rules/functions.ts';
import { grantChanges } from './rules/grants.ts';
import { monitoringChanges } from './rules/monitoring.ts';
import { storageChanges } from './rules/storage.ts';
import { isEffective, mutated, type Rules, type Template, type TemplateMutant } from './template-mutant.ts';

const RULES: Rules = {
  ...apiChanges,
  ...grantChanges,
  ...functionRules,
  ...storageChanges,
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
function stableName(logicalId: string): string {
  return logicalId
    .replace(/(Deployment)[0-9A-F]{8}[0-9a-f]{32}$/, '$1')
    .replace(/(AllowEventRule\w+?Function)[0-9A-F]+$/, '$1')
    .replace(/[0-9A-F]{8}$/, '')
    .replaceAll(/[0-9A-F]{8}(?=[A-Z])/g, '')
    .replaceAll(/Production|Staging/g, '')
    .replaceAll(/(Stage)(production|staging)/g, '$1');
}

const STACKS = ['Petstore-Production', 'Petstore-Staging'] as const;

/** A copy of a cloud assembly whose templates have the fault of one mutant at a time. */
export class MutatedAssembly implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'petstore-mutants-'));
  /** Those of production. */
  readonly mutants: readonly TemplateMutant[];
  readonly #templates: readonly {
    readonly file: string;
    readonly template: Template;
    readonly mutants: ReadonlyMap<string, TemplateMutant>;
  }[];

  constructor(original: string) {
    for (const name of readdirSync(original)) symlinkSync(join(original, name), join(this.folder, name));
    this.#templates = STACKS.map(stack => {
      const file = join(this.folder, `${stack}.template.json`);
      const template: Template = JSON.parse(readFileSync(file, 'utf8'));
      rmSync(file);
      const mutants = new Map(templateMutants(template).map(mutant => [mutant.id, mutant]));
      return { file, template, mutants };
    });
    this.mutants = [...(this.#templates[0]?.mutants.values() ?? [])];
  }

  /**
   * Writes both templates with the same fault, because a fault in the code of the stack is in every environment. Without
   * a mutant they are as they were.
   */
  write(mutant?: TemplateMutant): void {
    for (const { file, template, mutants } of this.#templates) {
      const own = mutants.get(mutant?.id ?? '');
      writeFileSync(file, JSON.stringify(own ? mutated(template, own) : template));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
