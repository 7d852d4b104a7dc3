import { RECORD_TITLES } from '../../../../shared/domains/life/domain-reason.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { letter } from '../../../operator/domains/letter.ts';
import { zoneFile } from '../../../operator/domains/zone-file.ts';
import { Breakable, CopyButton, Icon, State } from '../elements.tsx';
import { openFirst, type RecordRow, recordLines, recordRows, statusView } from './domain-view.ts';

interface RecordsProps {
  readonly report: DomainReport;
  /** The other name of a pair, whose records are created with these. */
  readonly partner?: DomainReport | undefined;
}

/** The DNS records that a domain needs: what is required, beside what was seen, and how the provider wants them. */
export function Records({ report, partner }: RecordsProps) {
  const { domain, provider } = report;
  const reports = partner ? [report, partner] : [report];
  const records = reports.flatMap(each => each.records);
  // Those of a domain that is being removed are to be deleted.
  const { isBeingRemoved } = statusView(report);
  const hasCertificate =
    isBeingRemoved || reports.every(each => each.records.some(({ purpose }) => purpose === 'certificate'));
  const isIncomplete = !hasCertificate || records.some(({ todo }) => todo !== null);
  const rows = openFirst(reports.flatMap(recordRows));
  const zone = reports.map(zoneFile).join('\n');
  return (
    <section class="panel table-panel" aria-labelledby="records">
      <div class="section-head">
        <h2 id="records">{isBeingRemoved ? 'DNS records to delete at your provider' : 'DNS records'}</h2>
        <div class="row">
          <CopyButton
            text={`Type\tName\tValue\tTTL\n${recordLines(rows)}`}
            what="all records"
            label="Copy all"
          />
          {!isBeingRemoved && (
            <>
              <CopyButton text={letter(reports)} what="the email" label="Copy as email" />
              <CopyButton text={zone} what="the zone file" label="Copy as zone file" />
              <button
                type="button"
                class="button small"
                onClick={() => download(`${domain}.zone`, `${zone}\n`)}
              >
                <Icon name="download" /> Download zone file
              </button>
            </>
          )}
        </div>
      </div>
      {provider && isIncomplete && !isBeingRemoved && <ProviderNote provider={provider} />}
      <table class="stacking records">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Type</th>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <RecordCells key={`${row.title} ${row.name}`} row={row} />
          ))}
          {!hasCertificate && (
            <tr>
              <th scope="row">{RECORD_TITLES.certificate}</th>
              <td colSpan={4} class="quiet">
                <span role="status">AWS is creating this record. It appears in a few seconds …</span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

/** How the records are created at the DNS provider of the domain. */
function ProviderNote({
  provider: { name, link, instructions },
}: {
  provider: NonNullable<DomainReport['provider']>;
}) {
  return (
    <div class="note note-info">
      <div>
        <p>
          Your DNS provider is <strong>{name}</strong>.{' '}
          <a href={link} target="_blank" rel="noreferrer noopener">
            How to create records there
          </a>
        </p>
        {instructions.map(line => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </div>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

function RecordCells({ row }: { row: RecordRow }) {
  const { title, why, type, name, label, value, ttl, state, observed, isOpen, advice } = row;
  const record = `${title.charAt(0).toLowerCase()}${title.slice(1)} record`;
  const mark = isOpen ? `open open-${state.tone}` : '';
  return (
    <>
      <tr class={mark}>
        <th scope="row">
          <span class="record-title">
            {title}
            {value && <CopyButton text={recordLines([row])} what={`the ${record}`} />}
          </span>
          <small>{why}</small>
        </th>
        <td data-title="Type">
          <span class="mono">{type}</span>
          {ttl && <small>TTL {ttl}</small>}
        </td>
        <td data-title="Name">
          <Copyable text={label} what={`the name of the ${record}`} />
          {label !== name && (
            <small class="mono break">{label === '@' ? name : name.slice(label.length)}</small>
          )}
        </td>
        <td data-title="Value">
          {value ? (
            <Copyable text={value} what={`the value of the ${record}`} />
          ) : (
            <span class="quiet">Shown once the certificate is issued</span>
          )}
        </td>
        <td data-title="Status">
          <State tone={state.tone}>{state.words}</State>
          {observed.length > 0 && (
            <small class="mono break observed">
              <Breakable text={observed.join(', ')} />
            </small>
          )}
        </td>
      </tr>
      {advice && (
        <tr class={`remedy ${mark}`}>
          <td colSpan={5} class="break">
            {advice}
          </td>
        </tr>
      )}
    </>
  );
}

/** A value with a button to copy it, which appears when the pointer or the focus is there. */
function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span class="copyable">
      <span class="mono break">
        <Breakable text={text} />
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
