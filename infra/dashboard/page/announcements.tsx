import { useObservable } from './hooks.ts';
import { observable } from './observable.ts';

const SHOWN_MS = 4_000;

const latest = observable<{ text: string; number: number } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says shortly that something was done. */
export function announce(text: string): void {
  latest.set({ text, number: (latest.value?.number ?? 0) + 1 });
  clearTimeout(timer);
  timer = setTimeout(() => latest.set(undefined), SHOWN_MS);
}

/** Where announcements are shown, and read out by screen readers. */
export function Announcements() {
  const shown = useObservable(latest);
  return (
    <div class="announcements" role="status" aria-live="polite">
      {shown && <p key={shown.number}>{shown.text}</p>}
    </div>
  );
}
