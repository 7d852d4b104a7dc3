import { type ComponentChildren, Fragment, type InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { readableTime } from '../../../shared/domains/clock.ts';
import { relativeTime } from '../../operator/readable-times.ts';
import type { ShownError } from '../server/protocol.ts';
import type { Tone } from './domains/domain-view.ts';
import { announce } from './notices.ts';
import { useNow } from './observable.ts';

export const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  ok: 'check',
  attention: 'exclamation',
  progress: 'clock',
  bad: 'cross',
  muted: 'dot',
};

/** A state: a color, an icon and words. */
export function State({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state state-${tone}`}>
      <Icon name={TONE_ICONS[tone]} />
      <span>{children}</span>
    </span>
  );
}

/** A time in relation to now, with the exact one as a tooltip. */
export function Time({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={at} title={localTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
  readonly label?: string;
  readonly isLarge?: boolean;
  /** Whether it has the focus in a dialog. */
  readonly isFirst?: boolean;
  readonly onCopied?: () => void;
}

/** Copies a text and says so; returns whether it could. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    announce("The browser didn't allow copying. Select the text instead.");
    return false;
  }
  announce(`Copied ${what}.`);
  return true;
}

/** Copies a text; says so with an icon, and to screen readers. */
export function CopyButton({ text, what, label, isLarge, isFirst = false, onCopied }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(text, what))) return;
    onCopied?.();
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1600);
  };
  return (
    <button
      type="button"
      class={label ? `button ${isLarge ? '' : 'small'}` : 'icon-button'}
      aria-label={label ? undefined : `Copy ${what}`}
      title={label ? undefined : `Copy ${what}`}
      {...(isFirst && { 'data-focus': true })}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {label && <span>{label}</span>}
    </button>
  );
}

export function ExternalLink({ url }: { url: string }) {
  return (
    <a class="break" href={url} target="_blank" rel="noreferrer noopener">
      {url.replace('https://', '')}
    </a>
  );
}

/** A name that wraps after a dot rather than within a label. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\.)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

interface NoteProps {
  readonly tone: 'attention' | 'bad';
  readonly role?: 'alert' | 'status';
  /** What its button says and does. */
  readonly action?: readonly [title: string, onClick: () => void] | undefined;
  readonly children: ComponentChildren;
}

/** Something to know before anything else on the page or in the dialog. */
export function Note({ tone, role = 'alert', action, children }: NoteProps) {
  const [title, onClick] = action ?? [];
  return (
    <div class={`note note-${tone}`} role={role}>
      <Icon name={TONE_ICONS[tone]} />
      <div>{children}</div>
      {title && (
        <button type="button" class="button small" onClick={onClick}>
          {title}
        </button>
      )}
    </div>
  );
}

/** An error in the operator function's words, with what to do; `onRetry` if no other button tries again. */
export function ErrorNote({ error, onRetry }: { error: ShownError | undefined; onRetry?: () => void }) {
  if (!error) return null;
  return (
    <Note tone="bad" action={onRetry && ['Try again', onRetry]}>
      <p>{error.message}</p>
      <Lines lines={error.advice} />
    </Note>
  );
}

export function Lines({ lines = [] }: { lines: readonly string[] | undefined }) {
  return lines.map(line => (
    <p key={line} class="break">
      {line}
    </p>
  ));
}

/** The description of the control in the same label. The text before it remains the name. */
export function Help({ children }: { children: ComponentChildren }) {
  const id = useId();
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    const control = text.current?.closest('label')?.querySelector('input, select');
    control?.setAttribute('aria-label', text.current?.parentElement?.firstChild?.textContent ?? '');
    control?.setAttribute('aria-describedby', id);
    return () => {
      control?.removeAttribute('aria-label');
      control?.removeAttribute('aria-describedby');
    };
  }, [id]);
  return (
    <small id={id} ref={text}>
      {children}
    </small>
  );
}

interface SelectProps<Value> {
  readonly title: string;
  readonly value: Value;
  /** The values and their names. */
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
  readonly help?: string | undefined;
}

export function Select<Value extends string | number>({
  title,
  value,
  options,
  onChange,
  help,
}: SelectProps<Value>) {
  return (
    <label class="field">
      {title}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const [chosen] = options[currentTarget.selectedIndex] ?? [value];
          onChange(chosen);
        }}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      {help && <Help>{help}</Help>}
    </label>
  );
}

interface TextFieldProps {
  readonly title: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: ComponentChildren;
  /** Further attributes of the input. */
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
}

export function TextField({ title, value, onChange, help, input }: TextFieldProps) {
  return (
    <label class="field">
      {title}
      <input
        autocomplete="off"
        {...input}
        value={value}
        onInput={event => onChange(event.currentTarget.value)}
      />
      {help && <Help>{help}</Help>}
    </label>
  );
}

/** For names that the browser should neither correct nor begin with a capital. */
export const AS_TYPED = { autocapitalize: 'none', spellcheck: false } as const;

interface PageHeadProps {
  readonly title: string;
  readonly about: string;
  readonly children?: ComponentChildren;
}

/** A page's title, what it's about, and its add button. */
export function PageHead({ title, about, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        <p class="quiet">{about}</p>
      </div>
      {children}
    </div>
  );
}

export function AddButton({ title, onClick }: { title: string; onClick: () => void }) {
  return (
    <button type="button" class="button primary" onClick={onClick}>
      <Icon name="plus" /> {title}
    </button>
  );
}

/** A text to paste into a terminal, or a secret. */
export function CopyableCode({ text, what, ...button }: CopyButtonProps) {
  return (
    <p class="secret">
      <code>{text}</code>
      <CopyButton text={text} what={what} {...button} />
    </p>
  );
}

/** What an empty page shows, and what to do first. */
export function EmptyState({
  title,
  isWholePage,
  children,
}: {
  title: string;
  isWholePage?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class="empty">
      {isWholePage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

interface TableProps {
  readonly titles: readonly string[];
  /** What the column of buttons is for; only screen readers say it. */
  readonly actions?: string;
  readonly children: ComponentChildren;
}

/** A table whose cells are stacked on a phone. */
export function Table({ titles, actions, children }: TableProps) {
  return (
    <div class="panel table-panel">
      <table class="stacking">
        <thead>
          <tr>
            {titles.map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <span class="visually-hidden">{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Shown during a page's first read. */
export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="skeleton" />
      <span class="skeleton" />
      <span class="skeleton" />
      <span class="visually-hidden">Loading {what} …</span>
    </div>
  );
}

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
  search: 'M7 3a4 4 0 1 0 0 8a4 4 0 1 0 0-8M10 10l3.500 3.500',
  out: 'M9.500 3.500h3v3M12.500 3.500L7.500 8.500M10.500 9.500v3h-7v-7h3',
  download: 'M8 2.500v7.500M4.800 7L8 10.200 11.200 7M3 13.500h10',
  list: 'M5.500 4.500h8M5.500 8h8M5.500 11.500h8M2.700 4.500v.1M2.700 8v.1M2.700 11.500v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside words, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A time in words, and as the clock of the reader shows it, for a tooltip. */
export function localTime(time: string): string {
  const format = { timeStyle: 'medium' } as const;
  return `${readableTime(time)} (${new Date(time).toLocaleTimeString('en-GB', format)} here)`;
}

/** The time until then: 0:08, 4:32, 1 h 20 min, 12 days; "any moment" once it has passed. */
export function countdown(time: string, nowMs: number): string {
  const seconds = Math.ceil((Date.parse(time) - nowMs) / 1000);
  if (seconds <= 0) return 'any moment';
  if (seconds < 3600) return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (seconds > 172_800) return `in ${Math.floor(seconds / 86_400)} days`;
  return `in ${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
