import { escapedHtml as escaped } from '../../../shared/docs/servers.ts';

/** The part of Markdown that the document's texts use, as HTML. */

/** Text inside a paragraph. Links are found first, since their text may be code, then code, which nothing is inside of. */
export function inline(markdown: string): string {
  const [before = '', text, target, after] = markdown.split(/\[([^\]]+)\]\(([^)]+)\)([\s\S]*)/);
  if (text === undefined || target === undefined) return withoutLinks(before);
  return `${withoutLinks(before)}<a href="${escaped(target)}">${withoutLinks(text)}</a>${inline(after ?? '')}`;
}

function withoutLinks(markdown: string): string {
  const parts = markdown.split(/`([^`]+)`/);
  return parts
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : withoutCode(part)))
    .join('');
}

function withoutCode(markdown: string): string {
  return escaped(markdown)
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*(.+?)\*/g, '<em>$1</em>')
    .replaceAll(/&lt;(\/?sup)&gt;/g, '<$1>');
}

/** Paragraphs, lists, tables and code. */
export function blocks(markdown: string): string {
  // Code may contain empty lines, so it is divided off before paragraphs are.
  const parts = markdown.split(/^```\w*\n([\s\S]+?)^```$/m);
  return parts
    .flatMap((part, index) =>
      index % 2 === 1
        ? [code(part.trimEnd())]
        : part
            .split(/\n{2,}/)
            .filter(text => text.trim() !== '')
            .map(block),
    )
    .join('\n');
}

function block(markdown: string): string {
  const text = markdown.trim();
  if (text.startsWith('|')) {
    const [head = [], , ...rows] = text.split('\n').map(cellsOf);
    return table(head, rows);
  }
  if (!text.startsWith('- ')) return `<p>${inline(text)}</p>`;
  const items = text.slice(2).split(/\n- /);
  return `<ul>${items.map(item => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map(cell => inline(cell.trim()));
}

/** A table from cells of HTML. The first cell of a row is its heading. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const headCells = head.map(cell => `<th scope="col">${cell}</th>`).join('');
  const bodyRows = rows.map(
    ([first, ...others]) =>
      `<tr><th scope="row">${first}</th>${others.map(cell => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<table><thead><tr>${headCells}</tr></thead><tbody>${bodyRows.join('\n')}</tbody></table>`;
}

export function code(text: string): string {
  return `<pre><code>${escaped(text)}</code></pre>`;
}
