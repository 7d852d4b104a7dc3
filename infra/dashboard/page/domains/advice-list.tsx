import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { adviceFor } from '../advice.ts';
import { CopyButton } from '../elements.tsx';
import { useNow } from '../hooks.ts';

/** The rules of troubleshooting, where they apply. */
export function AdviceList({ report }: { report: DomainReport }) {
  const advice = adviceFor(report, useNow());
  if (advice.length === 0) return null;
  return (
    <div class="advice">
      {advice.map(({ title, lines, command, isUrgent }) => (
        <section key={title} class={isUrgent ? 'advice-urgent' : undefined}>
          <h2>{title}</h2>
          {lines.map(line => (
            <p key={line} class="break">
              {line}
            </p>
          ))}
          {command && (
            <p class="secret">
              <code>{command}</code>
              <CopyButton text={command} what="the command" />
            </p>
          )}
        </section>
      ))}
    </div>
  );
}
