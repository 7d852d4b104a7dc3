import { describe, expect, test } from 'vitest';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the functions of %s', stack => {
  const template = templateOf(stack);
  const functions = resourcesOf(template, 'AWS::Lambda::Function');

  /** How long a function may run, by who waits for its end. */
  const secondsBeforeEnd = (name: string): number => {
    const periods = [...resourcesOf(template, 'AWS::Events::Rule').values()].flatMap(({ Properties }) => {
      const isOfFunction = Properties.Targets.some(
        ({ Arn }: { Arn: Record<string, string[]> }) => nameOf(Arn['Fn::GetAtt']?.[0] ?? '') === name,
      );
      const [, count, unit = ''] =
        /^rate\((\d+) (minute|day)/.exec(Properties.ScheduleExpression ?? '') ?? [];
      return isOfFunction && count ? Number(count) * (unit === 'day' ? 24 * 60 : 1) * 60 : [];
    });
    // The next run of a schedule, as far as Lambda allows.
    if (periods.length > 0) return Math.min(...periods, 901);
    // A removal waits for 90 s until the steps before it have ended, the petstore command for 60, the gateway for 29.
    if (name.startsWith('DomainFlow')) return 90;
    return name.startsWith('Operator') ? 60 : 29;
  };

  test('run on Node 24 and arm64 with the memory that was measured, without a limit of concurrency', () => {
    for (const [name, { Properties }] of functions) {
      expect(Properties, name).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: 1024,
      });
      expect(Properties, name).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });

  test('time out before their callers do, and a second at least after a slow call', () => {
    for (const [name, { Properties }] of functions) {
      expect(Properties.Timeout, name).toBeLessThan(secondsBeforeEnd(name));
      // A call of DynamoDB that has to be repeated takes up to five seconds (shared/aws/retries.ts).
      expect(Properties.Timeout, name).toBeGreaterThanOrEqual(6);
    }
  });

  test('each run their own code and log JSON to their own log group', () => {
    const codes = [...functions.values()].map(({ Properties }) => JSON.stringify(Properties.Code));
    expect(new Set(codes).size).toBe(functions.size);
    for (const [name, { Properties }] of functions) {
      const { LogFormat, LogGroup } = Properties.LoggingConfig;
      expect([LogFormat, nameOf(LogGroup.Ref)], name).toEqual(['JSON', name.replace(/Function$/, 'Logs')]);
    }
  });

  test('only those that operators and checks invoke have a name, which they know', () => {
    const named = [...functions].flatMap(([name, { Properties }]) =>
      Properties.FunctionName ? [[name, Properties.FunctionName]] : [],
    );
    const environment = stack.replace('Petstore-', '').toLowerCase();
    expect(named.toSorted()).toEqual([
      ['OperatorCheckFunction', `petstore-${environment}-checks`],
      ['OperatorOperateFunction', `petstore-${environment}-operator`],
    ]);
  });

  test('have no secret in their configuration but that of cursors, which gives no access', () => {
    const variables = [...functions].flatMap(([, { Properties }]) =>
      Object.entries(Properties.Environment?.Variables ?? {}),
    );
    // Whoever may read the configuration of a function sees the value that a reference was resolved to.
    const resolved = variables.filter(([, value]) => JSON.stringify(value).includes('{{resolve:'));
    expect(new Set(resolved.map(([name]) => name))).toEqual(new Set(['CURSOR_SECRET', 'PROOF_SECRET']));
    const literal = variables.filter(([, value]) => typeof value === 'string').map(([name]) => name);
    expect(literal.filter(name => /SECRET|PASSWORD|TOKEN/.test(name))).toEqual([]);
  });
});
