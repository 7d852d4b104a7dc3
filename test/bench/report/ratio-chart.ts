import { barChart } from '../../chart/bar-chart.ts';
import type { Results } from '../results.ts';
import { BARE } from '../variants/variants.ts';

/** CPU time of the service and of its peers in relation to the bare handler; undefined if neither part was measured. */
export function ratioChart({ cold = [], warm = [] }: Results): string | undefined {
  const series = [...new Set([...cold, ...warm].map(({ variant }) => variant))].filter(name => name !== BARE);
  const groups = [
    ...[...new Set(cold.map(({ operation }) => operation))].map(operation => ({
      name: `cold: ${operation}`,
      of: (variant: string) =>
        cold.find(row => row.operation === operation && row.variant === variant)?.totalRatio,
    })),
    ...[...new Set(warm.map(({ workload }) => workload))].map(workload => ({
      name: `warm: ${workload}`,
      of: (variant: string) => warm.find(row => row.workload === workload && row.variant === variant)?.ratio,
    })),
  ].map(({ name, of }) => ({ name, values: series.map(variant => of(variant)) }));
  // An operation that only the service has is compared with nothing.
  const compared = groups.flatMap(({ name, values }) =>
    values.every(value => value !== undefined) ? [{ name, values }] : [],
  );
  if (compared.length === 0) return undefined;
  return barChart({
    title: 'CPU time beside the peers',
    unit: 'ratio to a handler written by hand with nothing but the AWS SDK; lower is better',
    series,
    groups: compared,
    even: { value: 1, name: 'written by hand' },
  });
}
