import { fieldNames, LEAVE_EMPTY } from '../../../../shared/domains/dns/record-entry.ts';
import { zoneFile } from '../../../../shared/domains/dns/zone-file.ts';
import { RECORD_TITLES } from '../../../../shared/domains/life/domain-reason.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { waitsForOwner } from '../../../operator/domains/domain-report.ts';
import { letter } from '../../../operator/domains/letter.ts';
import { Breakable, CopyButton, copyText, State } from '../elements.tsx';
import { SLOW_INTERVAL_MS } from '../live-query.ts';
import { Menu } from '../menu.tsx';
import { announce } from '../notices.ts';
import { useLive } from '../queries.ts';
import { openRows, type RecordRow, recordLines, recordRows, statusView } from './domain-view.ts';

interface RecordsProps {
  readonly report: DomainReport;
  /** The pair's other name, whose records are created together with these. */
  readonly partner?: DomainReport | undefined;
}

/** The DNS records a domain needs: what is required, what was seen, and how the provider wants them entered. */
export function Records({ report, partner }: RecordsProps) {
  const { domain, provider } = report;
  const reports = partner ? [report, partner] : [report];
  const records = reports.flatMap(each => each.records);
  const waiting = reports.find(waitsForOwner);
  // When a domain is being removed, these are the records to delete.
  const { isBeingRemoved } = statusView(report);
  const hasCertificate = ({ records: own }: DomainReport) =>
    isBeingRemoved || own.some(({ purpose }) => purpose === 'certificate');
  const isIncomplete = !reports.every(hasCertificate) || records.some(({ todo }) => todo !== null);
  const zone = reports.map(zoneFile).join('\n');
  const [nameField, valueField] = fieldNames(provider);
  return (
    <section class="panel table-panel" aria-labelledby="records">
      <div class="section-head">
        <h2 id="records">
          {isBeingRemoved
            ? `Delete these DNS records at ${provider?.name ?? 'your DNS provider'}`
            : 'DNS records'}
        </h2>
        <div class="row">
          {waiting && <ToSend reports={reports} waiting={waiting} />}
          <CopyButton
            text={`Type\tName\tValue\tTTL\n${recordLines(reports.flatMap(recordRows))}`}
            what="all records"
            label="Copy all"
          />
          {!isBeingRemoved && (
            <Menu
              label="More formats"
              items={[
                { title: 'Copy as zone file', onSelect: () => void copyText(zone, 'the zone file') },
                { title: 'Download zone file', onSelect: () => download(`${domain}.zone`, `${zone}\n`) },
              ]}
            />
          )}
        </div>
      </div>
      {provider && isIncomplete && !isBeingRemoved && <ProviderNote provider={provider} />}
      <table class="stacking records">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Type</th>
            <th scope="col">{nameField}</th>
            <th scope="col">{valueField}</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        {reports.map(each => (
          <tbody key={each.domain}>
            {partner && (
              <tr class="group">
                <th scope="rowgroup" colSpan={5}>
                  {each.unicode}
                </th>
              </tr>
            )}
            <Rows report={each} fields={[nameField, valueField]} isAlone={!partner} />
            {!hasCertificate(each) && (
              <tr>
                <th scope="row">{RECORD_TITLES.certificate}</th>
                <td colSpan={4} class="quiet">
                  <span role="status">AWS is creating this record. It appears in a few seconds …</span>
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </section>
  );
}

interface ToSendProps {
  readonly reports: readonly DomainReport[];
  /** The one of them that has something to do for its owner. */
  readonly waiting: DomainReport;
}

/** What to send to whoever runs the DNS: the link to the page, and an email that begins with it. */
function ToSend({ reports, waiting: { project, domain } }: ToSendProps) {
  const { value: link = null } = useLive('domains.link', { project, domain }, SLOW_INTERVAL_MS);
  return (
    <>
      {link && (
        <CopyButton
          text={link.url}
          what="the link"
          label="Copy link"
          onCopied={() =>
            announce(
              link.isServed
                ? `Copied. Send it to whoever runs the DNS of ${domain}.`
                : 'Copied. Its host is still being set up: the page opens in some minutes.',
            )
          }
        />
      )}
      <CopyButton text={letter(reports, link)} what="the email" label="Copy as email" />
    </>
  );
}

/** How to create the records at the domain's DNS provider. */
function ProviderNote({
  provider: { name, link, instructions, choice },
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
        {[...instructions, choice ?? []].flat().map(line => (
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

interface RowsProps {
  readonly report: DomainReport;
  /** What the provider calls the name and the value. */
  readonly fields: readonly [name: string, value: string];
  /** Whether no other domain's records are below the same box. */
  readonly isAlone: boolean;
}

function Rows({ report, fields, isAlone }: RowsProps) {
  const rows = recordRows(report);
  // The box says what to do about a single one.
  const isSaid = isAlone && openRows(report).length === 1;
  return rows.map(row => (
    <RecordCells
      key={`${row.title} ${row.name}`}
      row={isSaid && row.isOpen ? { ...row, advice: undefined } : row}
      fields={fields}
    />
  ));
}

function RecordCells({ row, fields }: { row: RecordRow; fields: RowsProps['fields'] }) {
  const { title, why, name, value, entry, state, observed, isOpen, advice } = row;
  const [nameField, valueField] = fields;
  const record = `${title.charAt(0).toLowerCase()}${title.slice(1)} record`;
  const mark = isOpen ? `open open-${state.tone}` : '';
  return (
    <>
      <tr class={mark}>
        <th scope="row">
          {title}
          <small>{why}</small>
        </th>
        <td data-title="Type">
          <span class="mono">{entry.type}</span>
          {entry.ttl && <small>TTL {entry.ttl}</small>}
        </td>
        <td data-title={nameField}>
          {entry.name ? (
            <Copyable text={entry.name} what={`the name of the ${record}`} />
          ) : (
            <span class="quiet">{LEAVE_EMPTY}</span>
          )}
          {entry.name !== name && (
            <small class="mono break">
              {name.startsWith(`${entry.name}.`) ? name.slice(entry.name.length) : name}
            </small>
          )}
        </td>
        <td data-title={valueField}>
          {value ? (
            <Copyable text={entry.value} what={`the value of the ${record}`} />
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

/** A value with a button that copies it as it is pasted. */
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
