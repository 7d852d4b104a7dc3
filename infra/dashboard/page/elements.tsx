import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { relativeTime } from '../../cli/framework/readable-times.ts';
import type { ShownError } from '../server/environment-view.ts';
import { announce } from './announcements.tsx';
import type { Tone } from './domain-words.ts';
import { useNow } from './hooks.ts';
import { Icon, type IconName } from './icons.tsx';
import { localTime } from './times.ts';

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  ok: 'check',
  attention: 'exclamation',
  progress: 'clock',
  bad: 'cross',
  muted: 'dot',
};

/** A state: a colour, a sign and words. */
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

/** Copies a text; says so with a sign, and to screen readers. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      announce('The browser did not allow copying. Select the text instead.');
      return;
    }
    announce(`Copied ${what}.`);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 1600);
  };
  return (
    <button
      type="button"
      class={label ? 'button small' : 'icon-button'}
      aria-label={label ? undefined : `Copy ${what}`}
      title={label ? undefined : `Copy ${what}`}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {label && <span>{label}</span>}
    </button>
  );
}

/** An error in the words of the operator function, with what to do. */
export function ErrorNote({ error }: { error: ShownError | undefined }) {
  if (!error) return null;
  return (
    <div class="note note-bad" role="alert">
      <Icon name="cross" />
      <div>
        <p>{error.message}</p>
        {error.advice?.map(line => (
          <p key={line} class="quiet">
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}

/** What a page shows while there is nothing yet, and what to do first. */
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

/** The first read of a page is under way. */
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
