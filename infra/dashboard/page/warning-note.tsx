import { useEnvironment } from './environment.tsx';
import { useObservable } from './hooks.ts';
import { Icon } from './icons.tsx';
import { warnings } from './warnings.ts';

/** The warnings of a change. They stay until they are dismissed: the dialog that the change was made in is closed. */
export function WarningNote() {
  const current = useObservable(warnings);
  const { stage } = useEnvironment();
  if (current?.stage !== stage) return null;
  return (
    <div class="note note-attention" role="alert">
      <Icon name="exclamation" />
      <div>
        {current.sentences.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <button type="button" class="button small" onClick={() => warnings.set(undefined)}>
        Dismiss
      </button>
    </div>
  );
}
