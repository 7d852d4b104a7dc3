import type { AuditEntry } from '../../../../shared/operator/contract.ts';
import { EmptyState, ErrorNote, Loading, Table, Time } from '../elements.tsx';
import { operatorName, useEnvironment } from '../environment.ts';
import { currentUrl, replaceQuery } from '../location.ts';
import { useObservable } from '../observable.ts';
import { useLive } from '../queries.ts';
import { fieldsOf, filterEntries } from './audit-entries.ts';

const LIMITS = [50, 200, 500];

/** Who changed what, and when. The filter is in the URL. */
export function AuditPage() {
  const { stage } = useEnvironment();
  const query = new URLSearchParams(useObservable(currentUrl).split('?')[1]);
  const text = query.get('filter') ?? '';
  const limit = LIMITS.find(known => String(known) === query.get('limit')) ?? 50;
  const { value, error } = useLive('audit.list', { limit });
  const entries = value && filterEntries(value.entries, text);
  const setQuery = (name: string, given: string) => {
    if (given === '') query.delete(name);
    else query.set(name, given);
    replaceQuery(query);
  };
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Audit</h1>
          <p class="quiet">Who changed what in {stage}, newest first.</p>
        </div>
      </div>
      <search class="filters">
        <label class="field">
          Filter
          <input
            type="search"
            value={text}
            onInput={event => setQuery('filter', event.currentTarget.value)}
            placeholder="jane domains.add example.com"
          />
        </label>
        <label class="field">
          Look at
          <select value={limit} onChange={event => setQuery('limit', event.currentTarget.value)}>
            {LIMITS.map(each => (
              <option key={each} value={each}>
                the latest {each}
              </option>
            ))}
          </select>
        </label>
      </search>
      <ErrorNote error={error} />
      {!entries && !error && <Loading what="the audit log" />}
      {entries?.length === 0 && (
        <EmptyState title={text ? 'No change matches the filter' : 'Nothing was changed yet'}>
          <p>
            {text
              ? 'Every word must occur in who, what or the input. Use fewer words, or look at more changes.'
              : 'Every change by the dashboard, the command or the function itself is listed here.'}
          </p>
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <Table titles={['What', 'Input', 'Who', 'When']}>
          {entries.map(entry => (
            <AuditRow key={entry.requestId} entry={entry} />
          ))}
        </Table>
      )}
    </>
  );
}

function AuditRow({ entry: { command, input, by, at } }: { entry: AuditEntry }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {command}
      </th>
      <td data-title="Input" class="fields">
        {fieldsOf(input).map(([name, value]) => (
          <span key={name}>
            <span class="quiet">{name}</span> {value}
          </span>
        ))}
      </td>
      <td data-title="Who" class="who" title={by}>
        {operatorName(by)}
      </td>
      <td data-title="When">
        <Time at={at} />
      </td>
    </tr>
  );
}
