import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TemplateMutant } from './template-mutant.ts';

export const PROJECT = resolve(import.meta.dirname, '../../..');

export interface JudgingFile {
  /** Relative to the project. */
  readonly name: string;
  readonly path: string;
  /** The tests of the file whose titles contain this text judge the mutant; undefined if none does. */
  titlesFor(mutant: TemplateMutant): string | undefined;
}

const READS_TEMPLATE = /from '[./a-z]*\/(templates|watched|function-assets)\.ts'/;

/** A test that synthesizes the templates that it reads notices no change of another template. */
const SYNTHESIZES = /from 'aws-cdk-lib'/;

/** Tests that would notice no change, because both templates have it. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'test/infra/stack/petstore-stack.test.ts':
    'compares the templates of two environments, which have the same fault',
};

/** Tests that take seconds: they judge only what they are about. */
const SLOW: Readonly<Record<string, JudgingFile['titlesFor']>> = {
  'test/infra/stack/bundles.test.ts': ({ type, resource }) =>
    type === 'AWS::Lambda::Function' ? resource : undefined,
  'test/infra/stack/domain-flow.test.ts': ({ type }) =>
    ['AWS::Lambda::Function', 'AWS::StepFunctions::StateMachine'].includes(type) ? '' : undefined,
};

/** The test files that assert something about the synthesized templates, the slow ones last. */
export function judgingFiles(): JudgingFile[] {
  const names = globSync(['test/infra/stack/**/*.test.ts', 'test/infra/openapi/**/*.test.ts'], {
    cwd: PROJECT,
  })
    .filter(name => EXCLUDED[name] === undefined)
    .filter(name => {
      const text = readFileSync(resolve(PROJECT, name), 'utf8');
      return READS_TEMPLATE.test(text) && !SYNTHESIZES.test(text);
    })
    .toSorted((a, b) => Number(a in SLOW) - Number(b in SLOW) || a.localeCompare(b));
  return names.map(name => ({
    name,
    path: resolve(PROJECT, name),
    titlesFor: SLOW[name] ?? (() => ''),
  }));
}
