/** An SVG element as text: its attributes, and its children or its text, which is already escaped. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(value)}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** A text at a place. The class says how it looks (STYLE). */
export function label(
  text: string,
  x: number,
  y: number,
  {
    anchor = 'start',
    kind = 'label',
  }: { anchor?: 'start' | 'middle' | 'end'; kind?: 'label' | 'title' } = {},
): string {
  return element('text', { x, y, 'text-anchor': anchor, class: kind }, escaped(text));
}

/** A line through points. */
export function polyline(points: readonly (readonly [number, number])[], className: string): string {
  const written = points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' ');
  return element('polyline', { points: written, class: className });
}

/**
 * The colours of all charts, on a light page and on a dark one. An image in a README cannot know the page's colours, so
 * its background is its own.
 */
const STYLE = `
text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}
.page{fill:#fff}.label{font-size:12px;fill:#57606a}.title{font-size:15px;font-weight:600;fill:#1f2328}
.grid{stroke:#d0d7de;stroke-width:1}.axis{stroke:#57606a;stroke-width:1}.even{stroke:#57606a;stroke-width:1.5;stroke-dasharray:5 4}
.a{stroke:#0969da;fill:none;stroke-width:2}.b{stroke:#bc4c00;fill:none;stroke-width:1.5}
.fill-a{fill:#0969da}.fill-b{fill:#bc4c00}.fill-c{fill:#8250df}.fill-d{fill:#57606a}.fill-e{fill:#1a7f37}
.storm{fill:#bf8700;opacity:.16}.outage{fill:#cf222e;opacity:.2}.failed{fill:#cf222e}.kill{stroke:#8250df;stroke-width:1.5;stroke-dasharray:2 3}
@media (prefers-color-scheme:dark){
.page{fill:#0d1117}.label{fill:#9198a1}.title{fill:#f0f6fc}
.grid{stroke:#30363d}.axis,.even{stroke:#9198a1}
.a{stroke:#58a6ff}.b{stroke:#f0883e}
.fill-a{fill:#58a6ff}.fill-b{fill:#f0883e}.fill-c{fill:#bc8cff}.fill-d{fill:#9198a1}.fill-e{fill:#3fb950}
.storm{fill:#d29922;opacity:.22}.outage{fill:#f85149;opacity:.28}.failed{fill:#f85149}.kill{stroke:#bc8cff}
}`;

/** A whole image of this size. `description` is what a reader hears who does not see it. */
export function drawing(
  width: number,
  height: number,
  description: string,
  parts: readonly string[],
): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
  };
  const content = [
    element('title', {}, escaped(description)),
    element('style', {}, STYLE),
    element('rect', { width, height, class: 'page' }),
    ...parts,
  ];
  return `${element('svg', attributes, `\n${content.join('\n')}\n`)}\n`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
