/* Adds to the page what needs a script: search, colors of code, try-out panels, buttons that copy, the place in the contents. */

const all = selector => [...document.querySelectorAll(selector)];

function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** What has a color in code: told by its form, which is the same in all languages of the samples. */
const TOKENS =
  /(?<name>[\w-]+(?=: )|"[^"\n]*"(?=:)|'[^'\n]*'(?=:))|(?<string>"(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`)|(?<word>\b(?:as|await|const|curl|export|false|for|from|if|import|new|null|of|print|throw|true|with)\b|(?<=\s)-\w\b)|(?<number>(?<=: )-?\d[\d.]*\b)/g;

/** Colors leave the elements as they are, so that what is copied and the base URL inside of a string stay the same. */
function color(code) {
  if (!CSS.highlights) return;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const at = index => {
    let offset = index;
    for (const text of texts) {
      if (offset <= text.length) return [text, offset];
      offset -= text.length;
    }
  };
  for (const { 0: token, index, groups } of code.textContent.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups).find(([, found]) => found);
    const [startContainer, startOffset] = at(index);
    const [endContainer, endOffset] = at(index + token.length);
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
    CSS.highlights.get(kind).add(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
  }
}

function addCopyButton(code) {
  const button = element('button', { type: 'button', className: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  code.after(button);
}

for (const code of all('pre > code')) {
  color(code);
  addCopyButton(code);
}

/** Indented, with every digit of an integer as it came. */
function indented(text) {
  try {
    const exact = JSON.rawJSON
      ? (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
      : undefined;
    return exact ? JSON.stringify(JSON.parse(text, exact), null, 2) : text;
  } catch {
    return text;
  }
}

function received(text) {
  const code = element('code', {}, text);
  const block = element('pre', { tabIndex: 0 }, code);
  color(code);
  addCopyButton(code);
  return block;
}

async function send(form) {
  const { server, key, body } = form.elements;
  const { method, path } = form.dataset;
  const url = new URL(server.value + path);
  const headers = new Headers({ Authorization: `Bearer ${key.value.trim()}` });
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path')
      url.pathname = url.pathname.replace(encodeURI(`{${name}}`), encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query') url.searchParams.set(name, value);
    else if (value !== '') headers.set(name, value);
  }
  if (body) headers.set('Content-Type', 'application/json');
  const start = performance.now();
  const response = await fetch(url, { method, headers, body: body?.value });
  const text = await response.text();
  const time = `${Math.round(performance.now() - start)} ms`;
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return [
    element(
      'p',
      { className: response.ok ? 'status ok' : 'status' },
      `${response.status} ${response.statusText} `,
      element('small', {}, `${method} ${url.pathname}${url.search} in ${time}`),
    ),
    ...(text === '' ? [] : [received(indented(text))]),
    received(lines.join('\n')),
  ];
}

for (const form of all('form')) {
  form.hidden = false;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const status = form.querySelector('[role=status]');
    status.replaceChildren('Sending …');
    try {
      status.replaceChildren(...(await send(form)));
    } catch (error) {
      status.replaceChildren(element('p', { className: 'status' }, `No response: ${error.message}`));
    }
  });
}

/** What is chosen once holds for the whole page: the server, the API key, the language of samples. */
document.addEventListener('input', ({ target }) => {
  if (target.name === 'server' || target.name === 'key') {
    for (const field of all(`[name=${target.name}]`)) field.value = target.value;
  }
  if (target.name === 'server') for (const base of all('.base')) base.textContent = target.value;
  if (target.type === 'radio')
    for (const radio of all(`[type=radio][value="${target.value}"]`)) radio.checked = true;
});

const [contents] = all('nav > ul');
const links = new Map(all('nav a').map(link => [decodeURI(link.hash.slice(1)), link]));
const sections = all('main section').filter(({ id }) => links.has(id));
let marked;

/** Marks the section that is read, and keeps its link in sight: on a phone the contents are a bar. */
function follow() {
  const read = sections.findLast(section => section.getBoundingClientRect().top < innerHeight / 4);
  const link = links.get((read ?? sections[0]).id);
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'location');
  marked = link;
  contents.scrollTo(
    link.offsetLeft + (link.offsetWidth - contents.clientWidth) / 2,
    link.offsetTop + (link.offsetHeight - contents.clientHeight) / 2,
  );
}
addEventListener('scroll', follow, { passive: true });
addEventListener('resize', follow);
requestAnimationFrame(follow);

const titleOf = row => (row.querySelector('code') ?? row.cells[0]).textContent;

/** Each row of a table can be linked to. */
for (const row of all('main tbody tr')) row.id = `${row.closest('section').id}/${titleOf(row)}`;

/** What a search finds: the sections, and the rows of their tables. */
function placeOf(place) {
  const section = place.closest('section');
  const heading = section.querySelector('h2, h3').textContent;
  if (place !== section) {
    return {
      id: place.id,
      title: titleOf(place),
      detail: heading,
      text: `${heading} ${place.textContent}`.toLowerCase(),
    };
  }
  const route = [...section.querySelectorAll('.route :is(b, code)')].map(part => part.textContent).join(' ');
  const texts = [...section.querySelectorAll('p, li, pre')].filter(
    each => each.closest('section') === section,
  );
  const text = [heading, ...texts.map(({ textContent }) => textContent)].join(' ').toLowerCase();
  return { id: section.id, title: heading, detail: route, route, text };
}

/** Collected by the first search, so that the page is there sooner. */
let places;

const [search] = all('[role=search]');
const input = search.querySelector('input');
const list = search.querySelector('[role=listbox]');
let chosen = 0;

function choose(index) {
  const options = [...list.children];
  chosen = (index + options.length) % options.length || 0;
  for (const [at, option] of options.entries()) option.ariaSelected = at === chosen;
  options[chosen]?.scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
}

/** Titles and routes that are what was typed come first, then those that begin with it or contain it, then texts. */
function rank({ title, route, text }, typed) {
  if (!typed.split(/\s+/).every(word => text.includes(word))) return -1;
  const names = [title.toLowerCase(), route?.toLowerCase() ?? ''];
  const matches = [
    names.includes(typed),
    names.some(name => name.startsWith(typed)),
    names.some(name => name.includes(typed)),
    true,
  ];
  return matches.indexOf(true);
}

function find() {
  const typed = input.value.trim().toLowerCase();
  places ??= all('main section, main tbody tr').map(placeOf);
  const ranked = places.map(place => ({ ...place, rank: typed === '' ? -1 : rank(place, typed) }));
  const found = ranked.filter(place => place.rank >= 0).sort((one, other) => one.rank - other.rank);
  const options = found
    .slice(0, 20)
    .map(({ id, title, detail }, index) =>
      element(
        'a',
        { role: 'option', id: `found-${index}`, href: `#${id}`, tabIndex: -1 },
        title,
        element('small', {}, detail),
      ),
    );
  list.replaceChildren(...options);
  list.hidden = options.length === 0;
  contents.hidden = typed !== '';
  input.ariaExpanded = !list.hidden;
  search.querySelector('[role=status]').textContent = typed !== '' && list.hidden ? 'No matches.' : '';
  choose(0);
}

function leave() {
  input.value = '';
  input.blur();
  find();
}

input.addEventListener('input', find);
input.addEventListener('keydown', event => {
  if (event.key === 'ArrowDown') choose(chosen + 1);
  else if (event.key === 'ArrowUp') choose(chosen - 1);
  else if (event.key === 'Enter') list.children[chosen]?.click();
  else if (event.key === 'Escape') leave();
  else return;
  event.preventDefault();
});
list.addEventListener('click', leave);
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === input || event.target.closest('form')) return;
  event.preventDefault();
  input.focus();
});
search.hidden = false;
