import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components can watch with useObservable. */
interface Observable<Value> {
  readonly value: Value;
  set(value: Value): void;
  watch(listener: () => void): () => void;
}

export function observable<Value>(initial: Value): Observable<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get value() {
      return value;
    },
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useObservable<Value>(source: Observable<Value>): Value {
  const [, redraw] = useState({});
  // An ordinary effect runs after the paint, and would miss an earlier change.
  useLayoutEffect(() => source.watch(() => redraw({})), [source]);
  return source.value;
}

const clock = observable(Date.now());
setInterval(() => clock.set(Date.now()), 1000);

/** The time in milliseconds, updated every second, the same everywhere on the screen. */
export function useNow(): number {
  return useObservable(clock);
}
