import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { watchedStacks } from '../../infra/stack/other-environments/assembly.ts';
import { mutated, type Template } from './template-mutant.ts';
import { oneOfEachRule, templateMutants } from './template-mutants.ts';

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

  test('differ from the template, which stays as it is', () => {
    const before = JSON.stringify(production);
    for (const mutant of oneOfEachRule(mutants)) {
      expect(isDeepStrictEqual(mutated(production, mutant), production), mutant.id).toBe(false);
    }
    expect(JSON.stringify(production)).toBe(before);
  });

  test.each([
    'AWS::ApiGateway::Method: no authorizer',
    'AWS::ApiGateway::Method: no API key required',
    'AWS::IAM::Policy: on everything',
    'AWS::IAM::Policy: no condition',
    'AWS::CloudWatch::Alarm: nobody is told',
    'AWS::ApiGateway::UsagePlan: no throttle',
    'AWS::ApiGateway::GatewayResponse: another status',
    'AWS::DynamoDB::Table: no point-in-time recovery',
    'AWS::StepFunctions::StateMachine: failure not caught',
  ])('include: %s', rule => {
    expect(mutants.filter(mutant => mutant.rule === rule)).not.toEqual([]);
  });
});
