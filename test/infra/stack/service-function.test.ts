import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the functions of %s', stack => {
  const template = templateOf(stack);
  const functions = resourcesOf(template, 'AWS::Lambda::Function');

  test('run on Node 24 and arm64, time out before their callers do, and log to groups of the stack', () => {
    for (const [name, { Properties }] of functions) {
      expect(Properties, name).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      // The gateway waits for 29 s, the petstore command for 60, a state machine or rule for as long as it takes.
      const isInvokedByRule = /^(Domain|ApiKeysReconcile|ProjectsReconcile|MonitoringCanary)/.test(name);
      // Those of a rule or flow end before the next run, the daily one as late as Lambda allows.
      const ofRule = name.startsWith('DomainChecksRecheck') ? 901 : 120;
      const callerWaitsSeconds = isInvokedByRule ? ofRule : name.startsWith('Operator') ? 60 : 29;
      expect(Properties.Timeout, name).toBeLessThan(callerWaitsSeconds);
      const logGroup = template.Resources[Properties.LoggingConfig.LogGroup.Ref];
      expect(logGroup?.Type, name).toBe('AWS::Logs::LogGroup');
    }
  });

  test('have the memory that was measured, a second at least beyond a slow call, and no limit of concurrency', () => {
    for (const [name, { Properties }] of functions) {
      expect(Properties.MemorySize, name).toBe(1024);
      // A call of DynamoDB that has to be repeated takes up to five seconds (shared/aws/retries.ts).
      expect(Properties.Timeout, name).toBeGreaterThanOrEqual(6);
      expect(Properties, name).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });

  test('run each their own code, and log lines of JSON to a group of their own', () => {
    const codes = [...functions.values()].map(({ Properties }) => JSON.stringify(Properties.Code));
    expect(new Set(codes).size).toBe(functions.size);
    for (const [name, { Properties }] of functions) {
      const group = Properties.LoggingConfig.LogGroup.Ref.replace(/[0-9A-F]{8}$/, '');
      expect(group).toBe(name.replace(/Function$/, 'Logs'));
      expect(Properties.LoggingConfig.LogFormat, name).toBe('JSON');
    }
  });

  test('only the one that operators invoke has a name, which they know', () => {
    const named = [...functions].flatMap(([name, { Properties }]) =>
      Properties.FunctionName ? [[name, Properties.FunctionName]] : [],
    );
    const environment = stack.replace('Petstore-', '').toLowerCase();
    expect(named).toEqual([['OperatorOperateFunction', `petstore-${environment}-operator`]]);
  });

  test('write to log groups that have a retention', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup')) {
      expect(Properties.RetentionInDays, name).toBeGreaterThan(0);
    }
  });

  test('have no secret in plain text in an environment variable', () => {
    for (const [name, { Properties }] of functions) {
      for (const [variable, value] of Object.entries(Properties.Environment?.Variables ?? {})) {
        if (/SECRET|PASSWORD|TOKEN/.test(variable)) {
          expect(JSON.stringify(value), name).toContain('{{resolve:secretsmanager:');
        }
      }
    }
  });
});
