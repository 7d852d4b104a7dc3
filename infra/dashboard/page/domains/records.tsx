import { type ComponentChildren, Fragment } from 'preact';
import type { DomainRecord, DomainReport } from '../../../../shared/operator/contract.ts';
import { zoneFile } from '../../../cli/domains/zone-file.ts';
import { CopyButton, State } from '../elements.tsx';
import { PURPOSES, recordLines, recordState } from './domain-view.ts';

/** The DNS records that a domain needs: what is required, beside what was seen, with the remedy. */
export function Records({ report }: { report: DomainReport }) {
  const { records, kind, checkedAt } = report;
  const hasCertificate = records.some(({ purpose }) => purpose === 'certificate');
  return (
    <section class="panel table-panel" aria-labelledby="records-title">
      <div class="section-head">
        <h2 id="records-title">DNS records</h2>
        <div class="row">
          <CopyButton text={recordLines(records)} what="all records" label="Copy all" />
          <CopyButton text={zoneFile(report)} what="the zone file" label="Copy as zone file" />
        </div>
      </div>
      {kind === 'apex' && (
        <p class="note note-info">
          This is an apex domain, where DNS allows no CNAME. Create an ALIAS or ANAME record; some providers
          call it a flattened CNAME. If yours has none of these, add www.{report.domain} instead, and let your
          provider redirect {report.domain} to it.
        </p>
      )}
      <table class="stacking records">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Type</th>
            <th scope="col">Name</th>
            <th scope="col">Required value</th>
            <th scope="col">TTL</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {records.map(record => (
            <RecordRows
              key={`${record.purpose} ${record.name}`}
              record={record}
              isChecked={checkedAt !== null}
            />
          ))}
          {!hasCertificate && (
            <tr>
              <th scope="row">{PURPOSES.certificate.title}</th>
              <td colSpan={5} class="quiet">
                <span role="status">AWS names the record of the certificate in some seconds …</span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function RecordRows({ record, isChecked }: { record: DomainRecord; isChecked: boolean }) {
  const { purpose, type, name, label, value, ttl, observed, action, state } = record;
  const { tone, words } = recordState(record, isChecked);
  const { title, why } = PURPOSES[purpose];
  const what = (field: string) => `the ${field} of the ${title.toLowerCase()} record`;
  const isToBeRemedied = isChecked && state !== 'ok' && action !== null;
  return (
    <>
      <tr class={`record record-${purpose}`}>
        <th scope="row">
          {title}
          <small>{why}</small>
        </th>
        <Cell title="Type" text={type} what={what('type')} />
        <Cell title="Name" text={label} what={what('name')}>
          <small class="copyable">
            <span class="mono break">
              <Breakable text={name} />
            </span>
            <CopyButton text={name} what={what('full name')} />
          </small>
        </Cell>
        <Cell title="Required value" text={value} what={what('value')} />
        <Cell title="TTL" text={String(ttl)} what={what('TTL')} />
        <td data-title="Seen">
          <State tone={tone}>{words}</State>
          {isChecked && state !== 'ok' && observed.length > 0 && (
            <small class="mono break seen">{observed.join(', ')}</small>
          )}
        </td>
      </tr>
      {isToBeRemedied && (
        <tr class="remedy">
          <td colSpan={6} class="break">
            <strong>What to do:</strong> {action}
          </td>
        </tr>
      )}
    </>
  );
}

interface CellProps {
  readonly title: string;
  readonly text: string;
  readonly what: string;
  readonly children?: ComponentChildren;
}

function Cell({ title, text, what, children }: CellProps) {
  return (
    <td data-title={title}>
      <span class="copyable">
        <span class="mono break">
          <Breakable text={text} />
        </span>
        <CopyButton text={text} what={what} />
      </span>
      {children}
    </td>
  );
}

/** A name that is broken after its dots rather than within a label. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\.)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
