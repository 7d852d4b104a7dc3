import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChangeName, InputOf, ReadName, ResultOf } from '../../../shared/operator/contract.ts';
import type { Answer, ShownError } from '../server/environment-view.ts';
import { change, read, UNKNOWN_OUTCOMES } from './api.ts';
import type { Snapshot } from './live-query.ts';
import { type LiveEntry, liveEntry, refreshAll } from './live-store.ts';
import { type Observable, observable } from './observable.ts';
import { warn } from './warnings.ts';

export function useObservable<Value>(source: Observable<Value>): Value {
  const [, redraw] = useState({});
  // An ordinary effect comes after the paint, and a change before it would not be shown.
  useLayoutEffect(() => source.watch(() => redraw({})), [source]);
  return source.value;
}

/** The result of a command that only reads, kept up to date while the component is on the screen. */
export function useLive<Name extends ReadName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
  intervalMs?: number,
): Snapshot<ResultOf<Name>> {
  const key = JSON.stringify([stage, command, input, intervalMs]);
  const entry: LiveEntry<ResultOf<Name>> = liveEntry(key, () => read(stage, command, input), intervalMs);
  const [, redraw] = useState({});
  useEffect(() => entry.watch(() => redraw({})), [entry]);
  return entry.snapshot;
}

const clock = observable(Date.now());
setInterval(() => clock.set(Date.now()), 1000);

/** The time in milliseconds, every second anew, the same everywhere on the screen. */
export function useNow(): number {
  return useObservable(clock);
}

export interface ChangeState<Name extends ChangeName> {
  readonly isSending: boolean;
  readonly error: ShownError | undefined;
  /** Sends the change; the result, or undefined after an error. */
  send(input: InputOf<Name>): Promise<ResultOf<Name> | undefined>;
  clear(): void;
}

/**
 * Sends a change and then reads everything on the screen anew. While the outcome of a request is not known, sending the
 * same input again is the same request, which changes nothing a second time.
 */
export function useChange<Name extends ChangeName>(stage: string, command: Name): ChangeState<Name> {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<ShownError>();
  const open = useRef<{ input: string; requestId: string }>(undefined);

  const send = useCallback(
    async (input: InputOf<Name>) => {
      setSending(true);
      const text = JSON.stringify(input);
      if (open.current?.input !== text) open.current = { input: text, requestId: crypto.randomUUID() };
      const answer: Answer<ResultOf<Name>> = await change(stage, command, input, open.current.requestId);
      if (answer.ok || !UNKNOWN_OUTCOMES.includes(answer.error.code)) open.current = undefined;
      refreshAll();
      setSending(false);
      setError(answer.ok ? undefined : answer.error);
      if (answer.ok && answer.warnings) warn(stage, answer.warnings);
      return answer.ok ? answer.result : undefined;
    },
    [stage, command],
  );
  return { isSending, error, send, clear: () => setError(undefined) };
}
