import type { ApiResponse, ShownError, UnchangedResponse } from '../server/protocol.ts';
import { observable } from './observable.ts';

/** Notices around the page's content; frame.tsx shows them. */

const ANNOUNCED_MS = 4_000;

export const announcement = observable<{ text: string; number: number } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says briefly that something was done. */
export function announce(text: string): void {
  announcement.set({ text, number: (announcement.value?.number ?? 0) + 1 });
  clearTimeout(timer);
  timer = setTimeout(() => announcement.set(undefined), ANNOUNCED_MS);
}

/** What the latest change couldn't do for other things it affects, until dismissed. */
export const warnings = observable<
  { readonly stage: string; readonly sentences: readonly string[] } | undefined
>(undefined);

/** A change that failed when nothing on the page could say so. */
interface Failure {
  readonly stage: string;
  /** The change as the command writes it: `domains verify www.example.com`. */
  readonly what: string;
  readonly error: ShownError;
}

export const failures = observable<readonly Failure[]>([]);

export function tellFailure(stage: string, command: string, input: object, error: ShownError): void {
  const { domain, id, name, petId } = input as Record<string, unknown>;
  const what = [command.replace('.', ' '), domain ?? id ?? name ?? petId ?? ''].join(' ').trim();
  failures.set([...failures.value, { stage, what, error }]);
}

/** Says that an environment runs a different version from this page's, according to its latest response. */
export const versionNote = observable<{ readonly stage: string; readonly text: string } | undefined>(
  undefined,
);

export function noteVersion(stage: string, text: string | undefined): void {
  const { value } = versionNote;
  if (text === value?.text && (text === undefined || stage === value?.stage)) return;
  versionNote.set(text === undefined ? undefined : { stage, text });
}

/** Why nothing can be read or changed until somebody acts outside this page. */
export interface Interruption {
  readonly kind: 'session' | 'server' | 'credentials';
  readonly error: ShownError;
}

const KIND_BY_CODE: Readonly<Record<string, Interruption['kind']>> = {
  session_ended: 'session',
  server_gone: 'server',
  not_running: 'server',
  no_credentials: 'credentials',
  expired_credentials: 'credentials',
  credentials_refused: 'credentials',
  access_denied: 'credentials',
};

/** The interruption that the latest response reported, if any. */
export const interruption = observable<Interruption | undefined>(undefined);

/** Whether an error is shown once, above the page. */
export function isInterruption({ code }: ShownError): boolean {
  return code in KIND_BY_CODE;
}

export function noteResponse(response: ApiResponse | UnchangedResponse): void {
  const kind = response.ok ? undefined : KIND_BY_CODE[response.error.code];
  if (response.ok || !kind) {
    if (interruption.value) interruption.set(undefined);
    return;
  }
  const { value } = interruption;
  const isSame = value?.kind === kind && value.error.newestOrigin === response.error.newestOrigin;
  if (!isSame) interruption.set({ kind, error: response.error });
}
