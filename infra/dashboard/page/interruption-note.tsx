import { type Interruption, interruption } from './connection.ts';
import { useObservable } from './hooks.ts';
import { Icon } from './icons.tsx';

const WORDS: Readonly<Record<Interruption['kind'], { title: string; remedy: string }>> = {
  session: {
    title: 'This session has ended',
    remedy:
      'Open the address that the terminal shows, or start the dashboard again. What you typed here stays.',
  },
  server: {
    title: 'The dashboard was stopped',
    remedy: 'Start it again (petstore dashboard, or npm start) and open the address that it prints.',
  },
  credentials: {
    title: 'AWS does not accept the credentials',
    remedy: 'Renew them in the terminal. This page goes on by itself as soon as they work.',
  },
};

/** Says why a page that was left open shows nothing new. */
export function InterruptionNote() {
  const current = useObservable(interruption);
  if (!current) return null;
  const { title, remedy } = WORDS[current.kind];
  return (
    <div class="note note-bad interruption" role="alert">
      <Icon name="exclamation" />
      <div>
        <p>
          <strong>{title}.</strong> What you see may be out of date.
        </p>
        <p>{current.error.message}</p>
        {current.error.advice?.map(line => (
          <p key={line}>{line}</p>
        ))}
        <p class="quiet">{remedy}</p>
      </div>
    </div>
  );
}
