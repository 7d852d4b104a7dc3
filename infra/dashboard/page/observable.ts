/** A value that components can watch (useObservable in hooks.ts). */
export interface Observable<Value> {
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
