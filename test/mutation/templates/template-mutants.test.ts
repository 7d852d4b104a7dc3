import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchedStacks } from '../../infra/stack/other-environments/assembly.ts';
import type { Template } from './template-mutant.ts';
import { templateMutants } from './template-mutants.ts';

const templateOf = (stack: string): Template =>
  JSON.parse(readFileSync(join(watchedStacks(), `${stack}.template.json`), 'utf8'));

describe('the mutants of the templates', () => {
  const production = templateOf('Petstore-Production');
  const staging = templateOf('Petstore-Staging');
  const mutants = templateMutants(production);

  test('have a name each, and are many', () => {
    expect(mutants.length).toBeGreaterThan(1000);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test('are the same in both environments, apart from what only production has', () => {
    const ofStaging = new Set(templateMutants(staging).map(({ id }) => id));
    const onlyProduction = mutants.map(({ id }) => id).filter(id => !ofStaging.has(id));
    // Staging has no budget and is not protected against deletion, and its data goes with the stack.
    const lacking = /Protection|Budget|: (deleted with the stack|deleted when it is replaced)$/;
    expect(onlyProduction.filter(id => !lacking.test(id))).toEqual([]);
  });
});
