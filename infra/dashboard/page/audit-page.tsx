import { shownAuthor } from '../../../shared/audit/author.ts';
import { fieldsOf, sentenceOf } from '../../cli/environment/audit-entries.ts';
import type { ListedEntry } from '../server/protocol.ts';
import { EmptyState, Time } from './elements.tsx';
import { useEnvironment } from './environment.ts';
import { List } from './list.tsx';

/** Who changed what, and when. */
export function AuditPage() {
  const { stage } = useEnvironment();
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Audit</h1>
          <p class="quiet">Who changed what in {stage}.</p>
        </div>
      </div>
      <List
        list="audit"
        what="changes"
        placeholder="Search by person, command or value"
        filters={{ domains: 'Domains', keys: 'API keys', orders: 'Orders', projects: 'Projects' }}
        sorts={{ newest: 'Newest', oldest: 'Oldest', who: 'Person' }}
        titles={['What', 'Details', 'Who', 'When']}
        row={entry => <AuditRow key={entry.requestId} entry={entry} />}
        empty={
          <EmptyState title="No changes yet">
            <p>Every change made with the dashboard, the command or the function itself shows up here.</p>
          </EmptyState>
        }
        rest={
          <>
            Only the latest changes are listed. To export all of them: <code>petstore audit --json</code>
          </>
        }
      />
    </>
  );
}

function AuditRow({ entry }: { entry: ListedEntry }) {
  const { command, by, claimedBy, at } = entry;
  const { name, note } = shownAuthor(entry);
  return (
    <tr>
      <th scope="row" title={command}>
        {sentenceOf(entry)}
      </th>
      <td data-title="Details" class="fields">
        {fieldsOf(entry).map(([field, value]) => (
          <span key={field}>
            <span class="quiet">{field}</span> {value}
          </span>
        ))}
      </td>
      <td data-title="Who" class="name" title={[by, claimedBy].filter(Boolean).join(', ')}>
        {name}
        {note && <span class="quiet"> {note}</span>}
      </td>
      <td data-title="When">
        <Time at={at} />
      </td>
    </tr>
  );
}
