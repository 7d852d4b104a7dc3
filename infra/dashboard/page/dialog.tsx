import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChangeName, ResultOf } from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import type { ShownError } from '../server/protocol.ts';
import { ErrorNote, Icon } from './elements.tsx';
import { useChange } from './queries.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether Escape only asks before closing: the dialog shows something that can't be shown again. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

/** The browser's modal dialog, which keeps the focus inside and closes with Escape. */
export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the next key press: what is typed after a shortcut belongs in the dialog.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, select, [data-focus]')?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Browsers let a page prevent only the first Escape, so in a dialog that is kept none may reach them.
      onKeyDown={event => {
        if (!isKept || event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      onCancel={event => {
        if (!isKept) return;
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

interface FormDialogProps extends DialogProps {
  /** What the button says. */
  readonly action: string;
  readonly tone?: 'danger';
  /** What the form sends. */
  readonly change: { readonly isSending: boolean; readonly error: ShownError | undefined };
  readonly isDisabled?: boolean;
  /** What the other button says. */
  readonly dismiss?: string;
  /** Why it stays open until the response arrives. */
  readonly whileSending?: string;
  readonly onSubmit: () => void;
}

/** A dialog with a form. After an error it stays open and keeps what was typed. */
export function FormDialog({
  title,
  action,
  tone,
  change: { isSending, error },
  isDisabled,
  dismiss = 'Cancel',
  whileSending,
  onClose,
  onSubmit,
  children,
}: FormDialogProps) {
  const isKept = isSending && whileSending !== undefined;
  const close = () => {
    if (!isKept) onClose();
  };
  return (
    <Dialog title={title} onClose={close} isKept={isKept}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (!isSending) onSubmit();
        }}
      >
        {children}
        <ErrorNote error={error} />
        {isKept && <p class="quiet">{whileSending}</p>}
        <footer>
          <button type="button" class="button" disabled={isKept} onClick={close}>
            {dismiss}
          </button>
          <button
            type="submit"
            class={`button ${tone === 'danger' ? 'danger' : 'primary'}`}
            disabled={isDisabled}
            aria-busy={isSending}
          >
            {isSending ? 'Working …' : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ChangeDialogProps<Name extends ChangeName> extends Omit<FormDialogProps, 'change' | 'onSubmit'> {
  readonly command: Name;
  readonly input: InputOf<Name>;
  /** Called once the change is made and the dialog is closed. */
  readonly onDone: (result: ResultOf<Name>) => void;
}

/** A dialog that sends one change. */
export function ChangeDialog<Name extends ChangeName>(props: ChangeDialogProps<Name>) {
  const { command, input, onDone, ...dialog } = props;
  const change = useChange(command);
  const submit = async () => {
    const result = await change.send(input);
    if (!result) return;
    dialog.onClose();
    onDone(result);
  };
  return <FormDialog {...dialog} change={change} onSubmit={submit} />;
}
