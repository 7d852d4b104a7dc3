import { shownAuthor } from '../../../shared/audit/author.ts';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { fieldsOf, sentenceOf } from '../../operator/audit-entries.ts';
import type { ListedEntry } from '../server/protocol.ts';
import { EmptyState, PageHead, Time } from './elements.tsx';
import { useEnvironment } from './environment.ts';
import { List } from './list.tsx';
import { pathOf } from './routes.ts';

export function AuditPage() {
  const { stage } = useEnvironment();
  return (
    <>
      <PageHead title="Audit" about={`Who changed what in ${stage}.`} />
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

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Where the dashboard shows what a change was about. */
function pathOfSubject({ command, input }: ListedEntry, stage: string): string | undefined {
  const { project, domain, to, id, name, petId } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const [group] = command.split('.');
  const search = (page: 'keys' | 'orders', text: unknown) =>
    text === undefined ? undefined : `${pathOf({ page, stage })}?${new URLSearchParams({ q: String(text) })}`;
  if (group === 'keys') return search('keys', id ?? name);
  if (group === 'orders') return search('orders', id ?? petId);
  if (group === 'projects') return id ? pathOf({ page: 'project', stage, project: String(id) }) : undefined;
  if (!domain) return undefined;
  const owner = (command === 'domains.move' ? to : project) ?? SERVICE_PROJECT_ID;
  return pathOf({ page: 'domain', stage, project: String(owner), domain: String(domain) });
}

function AuditRow({ entry }: { entry: ListedEntry }) {
  const { stage } = useEnvironment();
  const { command, by, claimedBy, at, keyName, input } = entry;
  const { name, note } = shownAuthor(entry);
  const { id } = (input ?? {}) as { id?: unknown };
  const path = pathOfSubject(entry, stage);
  const what = sentenceOf(
    keyName ? { command, input: { ...(input as object), id: `for ${keyName}` } } : entry,
  );
  return (
    <tr>
      <th scope="row" title={command}>
        {path ? <a href={path}>{what}</a> : what}
        {keyName && <small class="mono">{String(id)}</small>}
      </th>
      <td data-title="Details" class="fields">
        {fieldsOf(entry).map(([field, value]) => (
          <span key={field}>
            <span class="quiet">{field}</span> {TIME.test(value) ? <Time at={value} /> : value}
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
