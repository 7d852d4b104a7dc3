import { drawing, element, label } from '../svg.ts';
import type { Results } from './budgets.ts';
import { BARE } from './variants.ts';

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

/** The series of a chart, at most as many as there are colours. */
interface Bars {
  readonly title: string;
  /** What the values are, with their unit. */
  readonly unit: string;
  readonly series: readonly string[];
  readonly groups: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** A value to compare with, drawn across the chart. */
  readonly even: { readonly value: number; readonly name: string };
}

const WIDTH = 860;
const HEIGHT = 380;
const TOP = 78;
const BOTTOM = HEIGHT - 34;
const LEFT = 52;
const RIGHT = WIDTH - 16;
/** About the width of a character of a label. */
const CHARACTER = 6.6;
const COLOURS = ['fill-a', 'fill-b', 'fill-c', 'fill-e', 'fill-d'];

/** Bars side by side in groups, each with its value above it. */
function barChart({ title, unit, series, groups, even }: Bars): string {
  const highest = Math.max(even.value, ...groups.flatMap(({ values }) => values)) * 1.08;
  const yOf = (value: number) => BOTTOM - ((BOTTOM - TOP) * value) / highest;
  const step = highest > 3 ? 1 : 0.5;
  const grid = Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
  const groupWidth = (RIGHT - LEFT) / groups.length;
  const barWidth = (groupWidth * 0.8) / series.length;

  const bars = groups.flatMap(({ name, values }, group) => {
    const from = LEFT + group * groupWidth + groupWidth * 0.1;
    return [
      ...values.flatMap((value, index) => {
        const x = from + index * barWidth;
        const bar = { x: x + 1, y: yOf(value), width: barWidth - 2, height: BOTTOM - yOf(value) };
        return [
          element('rect', { ...bar, class: COLOURS[index % COLOURS.length] ?? '' }),
          label(value.toFixed(2), x + barWidth / 2, yOf(value) - 4, { anchor: 'middle' }),
        ];
      }),
      label(name, LEFT + (group + 0.5) * groupWidth, BOTTOM + 20, { anchor: 'middle' }),
    ];
  });
  const entryX = (index: number) => {
    const before = series.slice(0, index).reduce((width, name) => width + 44 + CHARACTER * name.length, 0);
    return LEFT + before;
  };
  const legend = series.flatMap((name, index) => [
    element('rect', {
      x: entryX(index),
      y: 46,
      width: 12,
      height: 12,
      class: COLOURS[index % COLOURS.length] ?? '',
    }),
    label(name, entryX(index) + 18, 56),
  ]);
  const evenX = entryX(series.length);
  const evenLegend = [
    element('line', { x1: evenX, x2: evenX + 20, y1: 52, y2: 52, class: 'even' }),
    label(even.name, evenX + 26, 56),
  ];
  return drawing(WIDTH, HEIGHT, `${title}. ${unit}.`, [
    label(title, 16, 26, { kind: 'title' }),
    label(unit, RIGHT, 26, { anchor: 'end' }),
    ...legend,
    ...evenLegend,
    ...grid.flatMap(value => [
      element('line', { x1: LEFT, x2: RIGHT, y1: yOf(value), y2: yOf(value), class: 'grid' }),
      label(value.toFixed(1), LEFT - 8, yOf(value) + 4, { anchor: 'end' }),
    ]),
    ...bars,
    element('line', { x1: LEFT, x2: RIGHT, y1: yOf(even.value), y2: yOf(even.value), class: 'even' }),
    element('line', { x1: LEFT, x2: RIGHT, y1: BOTTOM, y2: BOTTOM, class: 'axis' }),
  ]);
}
