import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutated, type Template, type TemplateMutant } from './template-mutant.ts';
import { templateMutants } from './template-mutants.ts';

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
