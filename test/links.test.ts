import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = globSync(['*.md', '.github/**/*.md', '{infra,shared,test}/**/*.md'], {
  exclude: ['**/node_modules/**'],
});

test.each(DOCUMENTS)('%s links only to files and headings that exist', document => {
  for (const [, path = '', heading] of readFileSync(document, 'utf8').matchAll(
    /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g,
  )) {
    const target = path === '' ? document : join(dirname(document), path);
    expect(existsSync(target), `${path} does not exist`).toBe(true);
    if (heading !== undefined) expect(anchorsOf(target), `#${heading} in ${target}`).toContain(heading);
  }
});

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
