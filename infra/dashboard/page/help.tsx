import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Icon } from './elements.tsx';
import { useEnvironment } from './environment.ts';

const KEYS = [
  ['Ctrl K', 'Go to a page, project, domain or key, or do something there'],
  ['/', 'Search the list'],
  ['?', 'This help'],
  ['Esc', 'Close a dialog or a menu'],
] as const;

/** A button and the key `?`, which open the help. */
export function Help() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, select, textarea');
      if (event.key !== '?' || isTyping || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="palette-button help-button"
        aria-label="Help"
        title="Help"
        onClick={() => setOpen(true)}
      >
        <span aria-hidden="true">?</span>
      </button>
      {isOpen && <HelpDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function HelpDialog({ onClose }: { onClose: () => void }) {
  const { details } = useEnvironment();
  const links = [
    ['/assets/guide.md', 'Custom domains, for operators'],
    ['/assets/owners.md', 'Custom domains, for the owner of a domain'],
    ...(details?.baseUrl ? [[`${details.baseUrl}/docs`, 'Reference of the API']] : []),
  ] as const;
  return (
    <Dialog title="Help" onClose={onClose}>
      <div class="dialog-body">
        <ul class="help-links">
          {links.map(([url, title], index) => (
            <li key={url}>
              <a
                href={url}
                target="_blank"
                rel="noreferrer noopener"
                {...(index === 0 && { 'data-focus': true })}
              >
                {title} <Icon name="out" />
              </a>
            </li>
          ))}
        </ul>
        <dl class="shortcuts">
          {KEYS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd class="key">{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p class="quiet">
          In a terminal, <code>petstore --help</code> has examples of every command.
        </p>
      </div>
    </Dialog>
  );
}
