import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { Icon } from '../elements.tsx';
import {
  domainState,
  isForOperator,
  purposeOf,
  reasonWords,
  type Trouble,
  troublesOf,
} from './domain-view.ts';
import { Copyable } from './records.tsx';

/** What is wrong with a domain and how to fix it, everything once: the cause, what to do, and the record to copy. */
export function ProblemBox({ report }: { report: DomainReport }) {
  const troubles = troublesOf(report);
  if (troubles.length === 0) return null;
  return (
    <div class={`problem problem-${domainState(report).tone}`}>
      {troubles.map(trouble => (
        <section key={trouble.reason}>
          <Icon name="exclamation" />
          <div>
            <h2>{reasonWords(trouble)}</h2>
            <p class="break">{withoutFix(trouble)}</p>
            {isForOperator(trouble.reason) && (
              <p class="quiet">The operators of this environment fix this. The domain’s owner can’t.</p>
            )}
            <Fix trouble={trouble} report={report} />
          </div>
        </section>
      ))}
    </div>
  );
}

/** The message without the record that is shown below it. */
function withoutFix({ message, fix }: Trouble): string {
  return fix
    ? message.replace(` Add CAA: name ${fix.label}, value ${fix.value}.`, ' Add this record.')
    : message;
}

/** The record that solves a trouble, to copy. */
function Fix({ trouble: { reason, fix }, report: { records } }: { trouble: Trouble; report: DomainReport }) {
  const purpose = purposeOf(reason);
  const record = fix ?? records.find(each => each.purpose === purpose && each.state !== 'ok');
  if (!record) return null;
  return (
    <>
      <dl class="fix">
        <div>
          <dt>Type</dt>
          <dd class="mono">{record.type}</dd>
        </div>
        <div>
          <dt>Name</dt>
          <dd>
            <Copyable text={record.label} what="the name of the missing record" />
          </dd>
        </div>
        <div>
          <dt>Value</dt>
          <dd>
            <Copyable text={record.value} what="the value of the missing record" />
          </dd>
        </div>
      </dl>
      {!fix && (
        <p>
          <a href={`#record-${purpose}`} target="_self">
            See what was found
          </a>
        </p>
      )}
    </>
  );
}
