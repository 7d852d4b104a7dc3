import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilterOf, ListName, SortOf } from '../server/list-kinds.ts';
import type { ListPage, ListRows } from '../server/protocol.ts';
import { EmptyState, ErrorNote, Icon, Loading, Table } from './elements.tsx';
import { navigate, replaceQuery, useUrlQuery } from './location.ts';
import { refreshAll, useList } from './queries.ts';

/** The search begins after this pause in typing. */
const PAUSE_MS = 120;

interface ListProps<Name extends ListName> {
  readonly list: Name;
  /** Only what belongs to a project. */
  readonly project?: string;
  /** What is listed, in the plural. */
  readonly what: string;
  readonly placeholder: string;
  readonly filters: Readonly<Record<FilterOf<Name>, string>>;
  readonly sorts: Readonly<Record<SortOf<Name>, string>>;
  readonly titles: readonly string[];
  /** What the column of buttons is for; only screen readers say it. */
  readonly actions?: string;
  readonly row: (row: ListRows[Name]) => ComponentChildren;
  readonly empty: ComponentChildren;
  /** How to see what comes after the last listed row. */
  readonly rest?: ComponentChildren;
}

/** A list with a search, a filter, an order and pages, all of which are in the URL. */
export function List<Name extends ListName>(props: ListProps<Name>) {
  const { list, project, what, placeholder, filters, sorts, titles, actions, row, empty, rest } = props;
  const query = useUrlQuery();
  const { value, error } = useList(list, {
    project,
    search: query.get('q') ?? undefined,
    filter: query.get('status') ?? undefined,
    sort: query.get('sort') ?? undefined,
    page: Number(query.get('page') ?? 1),
  });
  const choose = (name: string, given: string) => {
    query.delete('page');
    if (given === '') query.delete(name);
    else query.set(name, given);
    replaceQuery(query);
  };
  return (
    <>
      <ErrorNote error={error} onRetry={refreshAll} />
      {!value && !error && <Loading what={what} />}
      {value?.total === 0 && empty}
      {value && value.total > 0 && (
        <>
          <search class="filters">
            <SearchField
              what={what}
              placeholder={placeholder}
              text={query.get('q') ?? ''}
              onSearch={text => choose('q', text)}
            />
            <Choice
              label="Show"
              value={query.get('status') ?? ''}
              choices={{ '': `All ${what}`, ...filters }}
              onChoose={chosen => choose('status', chosen)}
            />
            <Choice
              label="Sort by"
              value={query.get('sort') ?? Object.keys(sorts)[0] ?? ''}
              choices={sorts}
              onChoose={chosen => choose('sort', chosen === Object.keys(sorts)[0] ? '' : chosen)}
            />
          </search>
          {value.rows.length > 0 ? (
            <Table titles={titles} {...(actions && { actions })}>
              {value.rows.map(row)}
            </Table>
          ) : (
            <EmptyState title={`No ${what} match`}>
              <p>
                <button type="button" class="button" onClick={() => replaceQuery(new URLSearchParams())}>
                  Show all {what}
                </button>
              </p>
            </EmptyState>
          )}
          <Pages value={value} what={what} query={query} />
          {value.isCut && value.page === value.pages && rest && <p class="quiet foot">{rest}</p>}
        </>
      )}
    </>
  );
}

interface SearchFieldProps {
  readonly what: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

function SearchField({ what, placeholder, text, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(text);
  // Back, forward and "Show all" change the URL. The list's own change of the URL must not undo what was typed since.
  useEffect(() => {
    if (text !== searched.current) setTyped(text);
    searched.current = text;
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="search">
      <span class="visually-hidden">Search {what}</span>
      <Icon name="search" />
      <input
        type="search"
        value={typed}
        placeholder={placeholder}
        aria-keyshortcuts="/"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onInput={event => {
          const { value } = event.currentTarget;
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            searched.current = value.trim();
            onSearch(searched.current);
          }, PAUSE_MS);
        }}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  return (
    <label class="choose">
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={event => onChoose(event.currentTarget.value)}>
        {Object.entries(choices).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How many there are, and links to the other pages. */
function Pages({
  value: { rows, page, pages, first, matching, isPartial, isCut },
  what,
  query,
}: {
  value: ListPage<unknown>;
  what: string;
  query: URLSearchParams;
}) {
  const pathOfPage = (number: number) => {
    const other = new URLSearchParams(query);
    other.set('page', String(number));
    return `${location.pathname}?${other}`;
  };
  const turn = (title: string, to: number) => (
    <button
      type="button"
      class="button small"
      disabled={to < 1 || to > pages}
      onClick={() => navigate(pathOfPage(to))}
    >
      {title}
    </button>
  );
  const noun = matching === 1 ? what.replace(/s$/, '') : what;
  const count = `${matching.toLocaleString('en')}${isPartial || isCut ? '+' : ''} ${noun}`;
  return (
    <nav class="pages" aria-label="Pages">
      <p class="quiet" role="status">
        {pages === 1 ? count : `${first}–${first + rows.length - 1} of ${count}`}
        {isPartial && ' · reading the rest …'}
      </p>
      {pages > 1 && (
        <div class="row">
          {turn('Previous', page - 1)}
          <span class="quiet">
            Page {page} of {pages}
          </span>
          {turn('Next', page + 1)}
        </div>
      )}
    </nav>
  );
}
