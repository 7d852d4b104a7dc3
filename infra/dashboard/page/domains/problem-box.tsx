import type { DomainRecord } from '../../../../shared/operator/contract.ts';
import { Icon } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import type { Problem, RecordToCopy, Tone } from './domain-view.ts';
import { Copyable } from './records.tsx';

/** What is wrong with a domain and how to fix it, everything once: the cause, what to do, and the records to copy. */
export function ProblemBox({ problems, tone }: { problems: readonly Problem[]; tone: Tone }) {
  return (
    <div class={`problem problem-${tone}`}>
      {problems.map(({ title, text, records, about, quota }) => (
        <section key={text}>
          {title && (
            <h2>
              <Icon name="exclamation" /> {title}
            </h2>
          )}
          <p class="break">{text}</p>
          {quota && <QuotaLink quota={quota} />}
          {records.map(record => (
            <Fix key={record.value} record={record} />
          ))}
          {about && (
            <p>
              <RecordLink purpose={about} isFound />
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

function QuotaLink({ quota }: { quota: string }) {
  const { details } = useEnvironment();
  const region = details?.region ?? 'us-east-1';
  return (
    <p>
      <a
        href={`https://${region}.console.aws.amazon.com/servicequotas/home/services/apigateway/quotas/${quota}`}
        target="_blank"
        rel="noreferrer noopener"
      >
        Open the quota in the AWS console
      </a>
    </p>
  );
}

/** A record that solves a problem, to copy. */
function Fix({ record: { type, label, value, purpose, observed = [] } }: { record: RecordToCopy }) {
  const what = (field: string) => `the ${field} of the ${purpose ?? type} record to create`;
  return (
    <div class="fix">
      <dl>
        <div>
          <dt>Type</dt>
          <dd class="mono">{type}</dd>
        </div>
        <div>
          <dt>Name</dt>
          <dd>
            <Copyable text={label} what={what('name')} />
          </dd>
        </div>
        <div>
          <dt>Value</dt>
          <dd>
            <Copyable text={value} what={what('value')} />
          </dd>
        </div>
      </dl>
      {purpose && <RecordLink purpose={purpose} isFound={observed.length > 0} />}
    </div>
  );
}

/** A link to a record in the table below. */
function RecordLink({ purpose, isFound }: { purpose: DomainRecord['purpose']; isFound: boolean }) {
  return (
    <a href={`#record-${purpose}`} target="_self">
      {isFound ? 'See what was found' : 'See the record'}
    </a>
  );
}
