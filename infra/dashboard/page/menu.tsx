import { useId, useRef } from 'preact/hooks';
import { Icon } from './elements.tsx';

interface MenuItem {
  readonly title: string;
  readonly onSelect: () => void;
  readonly isDangerous?: boolean;
}

interface MenuProps {
  /** What the menu is for, for screen readers. */
  readonly label: string;
  /** Those that can be chosen now. */
  readonly items: readonly (MenuItem | false)[];
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * A menu in a popover. Escape or a click elsewhere closes it; the arrow keys, Home, End and the first letter of an item
 * move the focus.
 */
export function Menu({ label, items: all }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);

  const place = () => {
    const menu = popover.current;
    const anchor = button.current?.getBoundingClientRect();
    if (!menu || !anchor || !menu.matches(':popover-open')) return;
    const { width, height } = menu.getBoundingClientRect();
    const hasRoomBelow = anchor.bottom + GAP_PX + height + MARGIN_PX <= innerHeight;
    menu.style.left = `${Math.max(MARGIN_PX, anchor.right - width)}px`;
    menu.style.top = `${hasRoomBelow ? anchor.bottom + GAP_PX : Math.max(MARGIN_PX, anchor.top - GAP_PX - height)}px`;
    menu.querySelector('button')?.focus();
  };

  const moveFocus = (event: KeyboardEvent) => {
    const { key } = event;
    const buttons = [...(popover.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    // The next item that begins with the letter, from the current one on and around.
    const isNext = (button: HTMLButtonElement) =>
      button.textContent?.toLowerCase().startsWith(key.toLowerCase());
    const next = step
      ? buttons.at((at + step) % buttons.length)
      : ({ Home: buttons[0], End: buttons.at(-1) }[key] ??
        (key.length === 1 && key !== ' '
          ? [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)].find(isNext)
          : undefined));
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  const items = all.filter(item => item !== false);
  if (items.length === 0) return null;
  return (
    <>
      <button
        type="button"
        ref={button}
        class="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        <Icon name="menu" />
      </button>
      <div
        id={id}
        ref={popover}
        class="menu"
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={place}
        onKeyDown={moveFocus}
      >
        {items.map(({ title, onSelect, isDangerous }) => (
          <button
            key={title}
            type="button"
            role="menuitem"
            class={isDangerous ? 'dangerous' : undefined}
            onClick={() => {
              popover.current?.hidePopover();
              onSelect();
            }}
          >
            {title}
          </button>
        ))}
      </div>
    </>
  );
}
