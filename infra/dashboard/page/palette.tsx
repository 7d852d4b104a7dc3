import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { statusView } from './domains/domain-view.ts';
import { Icon, type IconName } from './elements.tsx';
import { useEnvironment } from './environment.ts';
import { SLOW_INTERVAL_MS } from './live-query.ts';
import { navigate } from './location.ts';
import { useChange, useList } from './queries.ts';
import { pathOf, SECTIONS } from './routes.ts';

/** `/` goes to the search of the list, and Ctrl-K or Cmd-K opens the palette from anywhere. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      const isSearch = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping;
      if (document.querySelector('dialog[open]') || (!isPalette && !isSearch)) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('main input[type=search]');
      if (isSearch && field) field.select();
      else setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" class="palette-button" onClick={() => setOpen(true)}>
        <Icon name="search" /> <span>Go to …</span>
        <span class="key" aria-hidden="true">
          Ctrl K
        </span>
      </button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}

interface Place {
  readonly title: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly path: string;
  /** What to do on the way there. */
  readonly act?: () => void;
}

const WHAT = 'Page, project, domain, key or action';

/** Goes to any page, project, domain or key, or does something there, by a few letters of its name. */
function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const places = usePlaces(typed.trim());
  const at = Math.min(chosen, places.length - 1);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    place.act?.();
    navigate(place.path);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault();
          go(places[at]);
        }}
      >
        <input
          value={typed}
          aria-label={WHAT}
          placeholder={WHAT}
          role="combobox"
          aria-expanded="true"
          aria-controls="places"
          aria-activedescendant={places[at] && `place-${at}`}
          autocomplete="off"
          spellcheck={false}
          onInput={event => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={event => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (!step || places.length === 0) return;
            event.preventDefault();
            setChosen((at + step + places.length) % places.length);
          }}
        />
        <div id="places" class="places" role="listbox" aria-label="Places" tabIndex={-1}>
          {places.map((place, index) => (
            <div
              key={`${place.title} ${place.path}`}
              id={`place-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => go(place)}
              onKeyDown={event => event.key === 'Enter' && go(place)}
            >
              <Icon name={place.icon} />
              <span class="break">{place.title}</span>
              <small>{place.detail}</small>
            </div>
          ))}
        </div>
        {places.length === 0 && <p class="quiet">No matches.</p>}
      </form>
    </Dialog>
  );
}

/** How many of each kind are offered. */
const MOST = 7;

/** The words of actions, beside which a name may be typed: add a domain to zoo. */
const ACTION_WORDS = ['add', 'a', 'an', 'domain', 'to', 'create', 'key', 'verify', 're-verify'];

function usePlaces(typed: string): Place[] {
  const { stage } = useEnvironment();
  const verify = useChange('domains.verify', { isTold: true });
  const isName = (word: string) => !ACTION_WORDS.includes(word.toLowerCase());
  const search = typed.split(/\s+/).filter(isName).join(' ');
  const projects = useList('projects', { search }, SLOW_INTERVAL_MS).value?.rows ?? [];
  const domains = useList('domains', { search, sort: 'name' }, SLOW_INTERVAL_MS).value?.rows ?? [];
  const keys = useList('keys', { search }, SLOW_INTERVAL_MS).value?.rows ?? [];
  // Until a search responds, the rows are the previous search's: Enter must not go to one of them.
  const words = typed.toLowerCase().split(/\s+/);
  const isMeant = (texts: readonly (string | null)[]) => {
    const text = texts.join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  };
  const ifTyped = <Row,>(rows: readonly Row[]) => (typed === '' ? [] : rows);
  const groups: (Place & { readonly texts: readonly (string | null)[] })[][] = [
    SECTIONS.map(({ page, title, icon }) => ({
      texts: [title],
      title,
      icon,
      detail: 'Page',
      path: pathOf({ page, stage }),
    })),
    projects.map(({ id, name }) => ({
      texts: [id, name],
      title: name ?? id,
      icon: 'folder',
      detail: name ? id : 'Project',
      path: pathOf({ page: 'domains', stage, project: id }),
    })),
    domains.map(({ domain, unicode, project }) => ({
      texts: [domain, unicode, project],
      title: unicode,
      icon: 'globe',
      detail: project,
      path: pathOf({ page: 'domain', stage, project, domain }),
    })),
    ifTyped(keys).map(({ name, id, hint }) => ({
      texts: [name, id, hint],
      title: name,
      icon: 'key',
      detail: hint,
      path: `${pathOf({ page: 'keys', stage })}?q=${id}`,
    })),
    [action('Create an API key', 'plus', `${pathOf({ page: 'keys', stage })}?new`)],
    ifTyped(projects).map(({ id, name }) =>
      action(
        `Add a domain to ${name ?? id}`,
        'plus',
        `${pathOf({ page: 'domains', stage, project: id })}?new`,
      ),
    ),
    ifTyped(domains).flatMap(summary => {
      const { domain, unicode, project } = summary;
      const { verify: label } = statusView(summary);
      if (!label) return [];
      const path = pathOf({ page: 'domain', stage, project, domain });
      const place = action(`${label} ${unicode}`, 'refresh', path);
      return [
        { ...place, texts: [label, domain, unicode], act: () => void verify.send({ project, domain }) },
      ];
    }),
  ];
  return groups.flatMap(group => group.filter(({ texts }) => isMeant(texts)).slice(0, MOST));
}

function action(title: string, icon: IconName, path: string) {
  return { texts: [title], title, icon, detail: 'Action', path };
}
