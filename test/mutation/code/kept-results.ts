import { existsSync, readFileSync, writeFileSync } from 'node:fs';

interface KeptResults {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>;
}

/**
 * Leaves in the file of an earlier run only the changes that a test has caught, so that all others are tried again. Stryker
 * would keep a surviving change of a constant although a new test catches it: it does not know which tests reach a constant.
 */
export function forgetSurvivors(file: string): void {
  if (!existsSync(file)) return;
  const results: KeptResults = JSON.parse(readFileSync(file, 'utf8'));
  for (const tried of Object.values(results.files)) {
    tried.mutants = tried.mutants.filter(({ status }) => status === 'Killed');
  }
  writeFileSync(file, JSON.stringify(results));
}
