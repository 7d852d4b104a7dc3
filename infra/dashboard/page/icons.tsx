/** Paths on a grid of 16 by 16, drawn with a line. */
const PATHS = {
  check: 'M3.5 8.5l3 3 6-7',
  exclamation: 'M8 3.5v5.5M8 12v.5',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  clock: 'M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M8 5v3.200l2 1.300',
  dot: 'M5 8h6',
  copy: 'M5.500 5.500h7v8h-7zM3.500 10.500v-8h7',
  menu: 'M8 3.500v.1M8 8v.1M8 12.500v.1',
  plus: 'M8 3.500v9M3.500 8h9',
  arrow: 'M3.500 8h9M9 4.500L12.500 8 9 11.500',
  back: 'M12.500 8h-9M7 4.500L3.500 8 7 11.500',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v2.700h-2.700',
  globe:
    'M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M2.700 8h10.600M8 2.500c-3 3.200-3 7.800 0 11c3-3.200 3-7.800 0-11',
  folder: 'M2.500 4.500v8h11v-6.500h-6l-1.500-1.500z',
  key: 'M9.800 2.800a3.200 3.200 0 1 0 .1 0M7.700 8.300L3 13M4.500 11.500l1.500 1.500',
  box: 'M2.800 5.200L8 2.500l5.200 2.700v5.600L8 13.500l-5.200-2.700zM2.800 5.200L8 8l5.200-2.800M8 8v5.500',
  list: 'M5.500 4.500h8M5.500 8h8M5.500 11.500h8M2.700 4.500v.1M2.700 8v.1M2.700 11.500v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside words, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
