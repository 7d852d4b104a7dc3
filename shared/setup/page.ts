import { createHash } from 'node:crypto';
import { escapedHtml } from '../docs/servers.ts';
import { readableTime } from '../domains/clock.ts';
import { LEAVE_EMPTY } from '../domains/dns/record-entry.ts';
import type { OwnerRecord, OwnerView } from './owner-view.ts';

/** The page for whoever runs the DNS of a domain: one document, which asks for nothing else and needs no script. */

/** HTML, in which whatever was inserted is escaped. */
interface Html {
  readonly html: string;
}
type Inserted = Html | string | false | undefined | readonly Html[];

function html(parts: TemplateStringsArray, ...inserted: readonly Inserted[]): Html {
  return { html: String.raw({ raw: parts }, ...inserted.map(textOf)) };
}

function textOf(inserted: Inserted): string {
  if (inserted === undefined || inserted === false) return '';
  if (typeof inserted === 'string') return escapedHtml(inserted);
  return 'html' in inserted ? inserted.html : inserted.map(textOf).join('');
}

const STYLE = `
:root{color-scheme:light dark;--canvas:light-dark(#f6f7f9,#101216);--surface:light-dark(#fff,#181b21);--sunken:light-dark(#eff1f4,#101318);--line:light-dark(#dfe3e8,#2b303a);--text:light-dark(#1a202b,#e8ebf0);--quiet:light-dark(#566072,#a3adbd);--accent:light-dark(#3b5bdb,#91a7ff);--fill:light-dark(#3b5bdb,#4263eb);--ok:light-dark(#0b6b43,#6fd6a3);--ok-soft:light-dark(#e0f5ea,#12301f);--todo:light-dark(#8a4b00,#f5bd6b);--todo-soft:light-dark(#fff1dc,#3a2a10);--wait:light-dark(#1f5fbf,#8fbcff);--wait-soft:light-dark(#e4eefc,#172a45)}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--canvas);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1.25rem 1rem}
h1,h2,h3,p,dl,dd{margin:0;padding:0}
h2,p{overflow-wrap:anywhere}
h1{font-size:1.0625rem;font-weight:500;line-height:1.4;margin-bottom:1rem}
h2,.state h1{font-size:1.5rem;font-weight:700;margin:0;line-height:1.25;letter-spacing:-.015em}
h3{font-size:1.0625rem}
b{font-weight:650;overflow-wrap:anywhere}
a{color:var(--accent)}
.state,.record,.how{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:1.25rem;margin-bottom:1rem}
.state{border-left:6px solid var(--wait)}
.state>*+*,.how>*+*{margin-top:.625rem}
.to-do,.switch{border-left-color:var(--todo)}
.live{border-left-color:var(--ok)}
.quiet,small,dt{color:var(--quiet);font-size:.875rem;font-weight:400}
.head{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;margin-bottom:.75rem}
.word{font-size:.875rem;font-weight:600;padding:.0625rem .625rem;border-radius:1rem;background:var(--wait-soft);color:var(--wait)}
.word.to-do{background:var(--todo-soft);color:var(--todo)}
.word.right{background:var(--ok-soft);color:var(--ok)}
dl{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.5rem .75rem;align-items:baseline}
dd{display:flex;gap:.5rem;align-items:flex-start}
code{font:.9375rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
dd code{flex:1;background:var(--sunken);border:1px solid var(--line);border-radius:6px;padding:.25rem .5rem;user-select:all;-webkit-user-select:all}
dd .plain{background:none;border:0;padding:0}
.record>dl+p{margin-top:.75rem}
button,.button{display:inline-block;font:inherit;font-weight:600;border:1px solid var(--line);border-radius:8px;padding:.375rem .875rem;background:var(--surface);color:var(--text);text-decoration:none;cursor:pointer}
.main{background:var(--fill);border-color:var(--fill);color:#fff}
dd button{font-size:.875rem;padding:.25rem .625rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
summary{cursor:pointer;font-weight:600}
summary h3{display:inline}
summary .word{margin:0 .375rem}
details dl{margin-top:.75rem}
.row{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
pre{margin:.625rem 0 0;overflow:auto;background:var(--sunken);border-radius:6px;padding:.75rem;user-select:all;-webkit-user-select:all}
@media(max-width:30rem){dl{grid-template-columns:minmax(0,1fr);gap:.125rem}dd{margin-bottom:.5rem}}
`;

/**
 * Copies, shows times as the reader's clock has them, and asks for news while the page is visible: every 20 seconds, every four
 * while a look goes on.
 */
const SCRIPT = `
const ready=()=>{for(const b of document.querySelectorAll('[data-copy]'))b.hidden=false;for(const t of document.querySelectorAll('time'))t.textContent=new Date(t.dateTime).toLocaleString([],{dateStyle:'medium',timeStyle:'short'})};
document.addEventListener('click',async e=>{const b=e.target.closest('[data-copy]');if(!b)return;await navigator.clipboard.writeText(b.dataset.copy);b.textContent='Copied';setTimeout(()=>b.textContent='Copy',2000)});
let seen=document.querySelector('main').outerHTML;
let turn=0;
setInterval(async()=>{if(document.hidden||++turn%5&&!document.querySelector('[data-looking]'))return;try{const r=await fetch(location.href,{headers:{Accept:'text/html'}});if(!r.ok)return;const n=new DOMParser().parseFromString(await r.text(),'text/html'),m=n.querySelector('main');if(m.outerHTML===seen)return;seen=m.outerHTML;document.title=n.title;document.querySelector('main').replaceWith(m);document.getElementById('news').textContent=m.querySelector('h2').textContent;ready()}catch{}},4000);
ready();
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers of these pages: nothing of them is kept, passed on or found, and nothing is loaded. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** When the owner may ask for a look again, and whether one that they have asked for goes on. */
export interface Asking {
  readonly againAtMs: number | undefined;
  readonly isLooking: boolean;
}

export function setupPage(view: OwnerView, asking: Asking): string {
  const { names, askedBy, state, headline, details, records, provider, zoneFile } = view;
  const all = names.map((name, index) => html`${index > 0 && ' and '}<b translate="no">${name}</b>`);
  return documentOf(
    `${state === 'live' ? '✓ ' : ''}${headline}`,
    html`<h1>${askedBy === null ? html`You were asked to set up DNS for ${all}` : html`<b translate="no">${askedBy}</b> asks you to set up DNS for ${all}`}</h1>
<section class="state ${state.replace(' ', '-')}"><h2>${headline}</h2>
${details.map(detail => html`<p>${detail}</p>`)}
${lookOf(view, asking)}</section>
${provider ? providerOf(provider) : ''}
${records.map(record => recordOf(record, view.fields))}
${zoneFile !== undefined && html`<details class="how"><summary>The records to set, as a zone file</summary><pre translate="no" tabindex="0">${zoneFile}</pre></details>`}`,
  );
}

/** One page for every link that leads nowhere, whatever the reason. */
export const NO_PAGE = documentOf(
  "This link doesn't work",
  html`<section class="state"><h1>This link doesn't work</h1>
<p>It has ended, or part of it is missing. Ask whoever sent it to you for a new one.</p></section>`,
  { hasNews: false },
);

function documentOf(title: string, main: Html, { hasNews = true } = {}): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><link rel="icon" href="data:,">
<style>${{ html: STYLE }}</style></head>
<body><main>${main}</main><div id="news" role="status"></div>
${hasNews && html`<script>${{ html: SCRIPT }}</script>`}</body></html>
`.html;
}

function lookOf({ canAsk, checkedAt, nextCheckAt }: OwnerView, { againAtMs, isLooking }: Asking): Html {
  const times = [
    ...(checkedAt
      ? [html`Last checked <time datetime="${checkedAt}">${readableTime(checkedAt)}</time>. `]
      : []),
    ...(nextCheckAt && canAsk
      ? [html`Next check <time datetime="${nextCheckAt}">${readableTime(nextCheckAt)}</time>.`]
      : []),
  ];
  const again = againAtMs === undefined ? undefined : new Date(againAtMs).toISOString();
  return html`${canAsk && isLooking && html`<p data-looking><b>Looking now.</b> This takes some seconds.<noscript> Then reload this page.</noscript></p>`}
${canAsk && !isLooking && again === undefined && html`<form method="post"><button class="main">Check now</button></form>`}
${canAsk && again !== undefined && html`<p>You can check again from <time datetime="${again}">${readableTime(again)}</time>.</p>`}
${times.length > 0 && html`<p class="quiet">${times}</p>`}`;
}

function providerOf({ name, link, panel, instructions }: NonNullable<OwnerView['provider']>): Html {
  return html`<section class="how"><h3>The DNS is at ${name}</h3>
${instructions.map(line => html`<p>${line}</p>`)}
<p class="row">${panel !== undefined && html`<a class="button" href="${panel}" target="_blank" rel="noreferrer">Open DNS at ${name}</a> `}<a href="${link}" target="_blank" rel="noreferrer">How to create records there</a></p></section>
`;
}

function recordOf(record: OwnerRecord, [nameField, valueField]: OwnerView['fields']): Html {
  const { title, use, name, entry, state, word, seen, advice } = record;
  const fields = entry && [
    html`<dt>Type</dt><dd><code class="plain" translate="no">${entry.type}</code></dd>`,
    entry.name === ''
      ? html`<dt>${nameField}</dt><dd>${LEAVE_EMPTY}</dd>`
      : fieldOf(nameField, entry.name, title),
    fieldOf(valueField, entry.value, title),
    ...(entry.ttl === undefined
      ? []
      : [html`<dt>TTL</dt><dd><code class="plain" translate="no">${String(entry.ttl)}</code></dd>`]),
    ...(seen.length > 0
      ? [html`<dt>In DNS now</dt><dd><code class="plain" translate="no">${seen.join(', ')}</code></dd>`]
      : []),
  ];
  const list = fields && html`<dl>${fields}</dl>`;
  const head = html`<h3>${title}</h3><span class="word ${state.replace(' ', '-')}">${word}</span><small>${use}</small>`;
  // What is right is to be kept, and not in the way.
  if (state === 'right')
    return html`<details class="record"><summary>${head}</summary>${list}</details>
`;
  return html`<section class="record"><div class="head">${head}</div>
${list ?? (advice === '' && html`<p class="quiet">What to enter for <span translate="no">${name}</span> is shown here later.</p>`)}
${advice !== '' && html`<p>${advice}</p>`}</section>
`;
}

function fieldOf(label: string, value: string, title: string): Html {
  return html`<dt>${label}</dt><dd><code translate="no">${value}</code><button type="button" data-copy="${value}" aria-label="Copy: ${title}, ${label}" hidden>Copy</button></dd>`;
}
