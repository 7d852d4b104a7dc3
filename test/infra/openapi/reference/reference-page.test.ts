import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../../infra/openapi/document.ts';
import { blocks, inline } from '../../../../infra/openapi/reference/markdown.ts';
import { referencePage } from '../../../../infra/openapi/reference/reference-page.ts';
import { INT64_MAXIMUM, INT64_MINIMUM } from '../../../../shared/int64.ts';
import { OPERATIONS } from '../../../../shared/operations.ts';

const document = openApiDocument();
const { html, contentSecurityPolicy } = referencePage(document);

/** What a reader sees of HTML, or of the Markdown in the document. */
const textOf = (part: string) =>
  part
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll(/<span class="base">([^<]*)<\/span>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(quot|lt|gt|amp);/g, (_, name: 'quot') => ({ quot: '"', lt: '<', gt: '>', amp: '&' })[name])
    .replaceAll(/\s+/g, ' ');
const shown = (markdown: string) => textOf(inline(markdown)).trim();

interface Described {
  readonly description: string;
}
interface Documented extends Described {
  readonly summary: string;
  readonly parameters: readonly (Described & { readonly name: string; readonly in: string })[];
  readonly requestBody?: Described;
  readonly responses: Record<
    string,
    Described & {
      readonly headers: Record<string, { readonly $ref: string }>;
      readonly content: Record<
        string,
        { readonly examples: Record<string, { summary: string; value: object }> }
      >;
    }
  >;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

describe.each(OPERATIONS)(
  'the page has all that the document has of $name',
  ({ method, path, stability }) => {
    const operation = document.paths?.[path]?.[method.toLowerCase() as 'get'] as unknown as Documented;
    const anchor = `tag/animals/${method}${path}`;
    const [section = ''] =
      html.split(`<section class="operation" id="${anchor}">`)[1]?.split('</section>') ?? [];
    const text = textOf(section);

    test('its texts, parameters and body', () => {
      expect(text).toContain(operation.summary);
      for (const paragraph of operation.description.split('\n\n'))
        expect(text).toContain(textOf(blocks(paragraph)));
      for (const { name, in: place, description } of operation.parameters ?? []) {
        expect(text).toMatch(new RegExp(` ${name} [^.]*${place}`));
        expect(text).toContain(shown(description));
      }
      expect(text).toContain(shown(operation.requestBody?.description ?? ''));
    });

    test('its responses with their headers, and each error with its code, meaning and example', () => {
      for (const [status, { headers, content, description }] of Object.entries(operation.responses)) {
        for (const name of Object.keys(headers)) expect(section).toContain(`<code>${name}</code>`);
        if (Number(status) < 400) expect(text).toContain(shown(description));
        else
          for (const [code, { summary, value }] of Object.entries(
            content['application/json']?.examples ?? {},
          )) {
            const { message } = value as { message: string };
            const example = message === summary ? [] : [message];
            expect(text).toContain([status, code, shown(summary), ...example].join(' '));
          }
      }
    });

    test('its samples, and its stability, also in the navigation', () => {
      expect(operation['x-codeSamples'].length).toBe(4);
      for (const { source } of operation['x-codeSamples'])
        expect(text).toContain(source.replaceAll(/\s+/g, ' '));
      const [, entry = ''] =
        new RegExp(`<li><a href="#${anchor.replaceAll(/[{}]/g, '\\$&')}">(.*)</a></li>`).exec(html) ?? [];
      expect(textOf(entry).trim()).toBe(
        `${method} ${operation.summary}${stability === 'stable' ? '' : `  ${stability}`}`.replaceAll(
          / +/g,
          ' ',
        ),
      );
      expect(section).toContain(`<span class="chip ${stability}">${stability}</span>`);
    });
  },
);

test('the page has every chapter and object of the document, with all digits of int64', () => {
  const text = textOf(html);
  for (const paragraph of document.info.description?.split('\n\n') ?? []) {
    if (!paragraph.includes('```'))
      expect(text).toContain(textOf(blocks(paragraph.replace(/^# /, ''))).trim());
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const [section = ''] = html.split(`<section id="objects/${name}">`)[1]?.split('</section>') ?? [];
    const { description, properties = {} } = schema as Described & { properties?: Record<string, Described> };
    expect(textOf(section)).toContain(shown(description));
    for (const [field, { description: about = '' }] of Object.entries(properties)) {
      expect(section).toContain(`<code>${field}</code>`);
      expect(textOf(section)).toContain(shown(about));
    }
  }
  expect(text).toContain(`${INT64_MINIMUM} to ${INT64_MAXIMUM}`);
});

test('the page has one H1, and links only to what it has', () => {
  expect(html.match(/<h1>/g)).toHaveLength(1);
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  expect(targets.filter(target => !ids.has(target))).toEqual([]);
});

test('the policy allows the script and the style of the page, and nothing else inline or from elsewhere', () => {
  for (const kind of ['script', 'style']) {
    const [, content = ''] = new RegExp(`<${kind}>(.*)</${kind}>`, 's').exec(html) ?? [];
    const hash = createHash('sha256').update(content).digest('base64');
    expect(contentSecurityPolicy).toContain(`; ${kind}-src 'sha256-${hash}';`);
  }
  expect(contentSecurityPolicy).toMatch(/^default-src 'none'; /);
  expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
  expect(html).not.toMatch(/ style="| on\w+="| src="/);
});
