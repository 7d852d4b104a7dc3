import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type ChangeName,
  type DomainReport,
  newRequestId,
  type ReadName,
  type ResultOf,
} from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { sentenceOf } from '../../operator/audit-entries.ts';
import { pauseBetweenLooks } from '../../operator/domains/domain-report.ts';
import { isOld } from '../../operator/readable-times.ts';
import type { ListName } from '../server/list-kinds.ts';
import type { ApiResponse, ListPage, ListQuery, ListRows, ShownError } from '../server/protocol.ts';
import { change, read, readList } from './api.ts';
import { useEnvironment } from './environment.ts';
import { type Age, type Interval, LiveQuery, type Snapshot } from './live-query.ts';
import { announce, isInterruption, tellFailure, warnings } from './notices.ts';
import { useNow } from './observable.ts';

/** Queries stay when nothing watches them, so going back shows the page at once. */
const queries = new Map<string, LiveQuery<unknown>>();
const MOST_QUERIES = 50;

const isVisible = () => document.visibilityState === 'visible';

/** The result of a command that only reads, kept up to date while the component is on the screen. */
export function useLive<Name extends ReadName>(
  command: Name,
  input: InputOf<Name>,
  intervalMs?: number,
): Snapshot<ResultOf<Name>> {
  const { stage } = useEnvironment();
  const key = JSON.stringify([stage, command, input, intervalMs]);
  return shownOf(useQuery(key, () => read(stage, command, input), { intervalMs }));
}

/** What looks at a domain see, while somebody waits for it. */
export function useLooks(input: InputOf<'domains.look'>, isAwaited: boolean): DomainReport | undefined {
  const { stage } = useEnvironment();
  const key = JSON.stringify([stage, 'domains.look', input]);
  const looks = useQuery(key, () => read(stage, 'domains.look', input), {
    intervalMs: pauseBetweenLooks,
    isAwaited,
  });
  return isAwaited ? looks.snapshot.value : undefined;
}

/** A page of a list, kept up to date. While another page or search is being read, the previous one stays. */
export function useList<Name extends ListName>(
  list: Name,
  query: ListQuery,
  intervalMs?: number,
): Snapshot<ListPage<ListRows[Name]>> {
  const { stage } = useEnvironment();
  const key = JSON.stringify([stage, list, query, intervalMs]);
  const read = useQuery(key, () => readList(stage, list, query), { intervalMs });
  const shown = useRef(read);
  if (read.snapshot.value) shown.current = read;
  else read.standInWith(shown.current);
  return { ...shownOf(read), value: shown.current.snapshot.value };
}

/** The age of the oldest thing on the screen; undefined while everything is recent. */
export function useAge(): Age | undefined {
  const nowMs = useNow();
  const [oldest] = [...queries.values()]
    .flatMap(({ age }) => age ?? [])
    .toSorted((one, other) => one.asOfMs - other.asOfMs);
  return oldest && isOld(oldest.asOfMs, nowMs) ? oldest : undefined;
}

function useQuery<Value>(
  key: string,
  readOnce: () => Promise<ApiResponse<Value>>,
  { isAwaited = true, intervalMs }: { intervalMs: Interval | undefined; isAwaited?: boolean },
): LiveQuery<Value> {
  const query = queries.get(key) ?? new LiveQuery(readOnce, { isVisible, intervalMs });
  // The most recently used comes last; the oldest are forgotten, such as those of a search's every letter.
  queries.delete(key);
  queries.set(key, query);
  const [oldest] = queries.keys();
  if (queries.size > MOST_QUERIES && oldest !== undefined) queries.delete(oldest);
  const [, redraw] = useState({});
  useEffect(() => (isAwaited ? query.watch(() => redraw({})) : undefined), [query, isAwaited]);
  return query as LiveQuery<Value>;
}

/** What a page shows of a query. An interruption is shown once, for the whole page. */
function shownOf<Value>({ snapshot: { value, error } }: LiveQuery<Value>): Snapshot<Value> {
  return { value, error: error && isInterruption(error) ? undefined : error };
}

/** Reads everything on the screen again, after a change. */
export function refreshAll(): void {
  for (const query of queries.values()) query.refresh();
}

export function refreshWhenVisible(): void {
  document.addEventListener('visibilitychange', () => {
    if (isVisible()) refreshAll();
  });
}

interface ChangeState<Name extends ChangeName> {
  readonly isSending: boolean;
  readonly error: ShownError | undefined;
  /** Sends the change. Returns its result; undefined after an error, or if the component is gone by then. */
  send(input: InputOf<Name>): Promise<ResultOf<Name> | undefined>;
  clear(): void;
}

/** Request ids of changes that may have been made, by input. A reopened dialog repeats them. */
const openRequests = new Map<string, string>();

/**
 * Sends a change, then rereads everything on the screen. While a request's outcome is unknown, sending the same input again
 * repeats that request, which the service recognizes and doesn't apply twice. A failure is shown above the page (`isTold`) if
 * nothing else shows it.
 */
export function useChange<Name extends ChangeName>(
  command: Name,
  { isTold = false } = {},
): ChangeState<Name> {
  const { stage } = useEnvironment();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<ShownError>();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const send = useCallback(
    async (input: InputOf<Name>) => {
      setSending(true);
      const intent = JSON.stringify([stage, command, input]);
      const requestId = openRequests.get(intent) ?? newRequestId(command);
      openRequests.set(intent, requestId);
      const response = await change(stage, command, input, requestId);
      if (response.ok || !response.error.isOpen) openRequests.delete(intent);
      refreshAll();
      if (response.ok && response.warnings) warnings.set({ stage, sentences: response.warnings });
      const failure = response.ok ? undefined : withOutcome(response.error);
      if (isShown.current && !(failure && isTold)) {
        setSending(false);
        setError(failure);
        return response.ok ? response.result : undefined;
      }
      setSending(false);
      // The dialog is closed, and the page may have changed: show the failure above it, and change nothing there.
      if (failure) tellFailure(stage, command, input, failure);
      else announce(`${sentenceOf({ command, input })}.`);
      return undefined;
    },
    [stage, command, isTold],
  );
  return { isSending, error, send, clear: () => setError(undefined) };
}

function withOutcome(error: ShownError): ShownError {
  if (!error.isOpen) return error;
  const unknown = "The change may or may not have been made. Send it again: it won't be made twice.";
  return { ...error, advice: [...(error.advice ?? []), unknown] };
}
