/* Adds to the page what needs a script: try-out panels, buttons that copy, the place in the contents. */

const all = selector => [...document.querySelectorAll(selector)];

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

function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

async function send(form) {
  const { server, key, body } = form.elements;
  const url = new URL(server.value + form.dataset.path);
  const headers = new Headers({ Authorization: `Bearer ${key.value.trim()}` });
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path')
      url.pathname = url.pathname.replace(encodeURI(`{${name}}`), encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query') url.searchParams.set(name, value);
    else if (value !== '') headers.set(name, value);
  }
  if (body) headers.set('Content-Type', 'application/json');
  const response = await fetch(url, { method: form.dataset.method, headers, body: body?.value });
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return [
    element(
      'p',
      { className: response.ok ? 'status ok' : 'status' },
      `${response.status} ${response.statusText}`,
    ),
    element(
      'pre',
      { tabIndex: 0 },
      `${form.dataset.method} ${url.pathname}${url.search}\n\n${lines.join('\n')}`,
    ),
    element('pre', { tabIndex: 0 }, indented(await response.text())),
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

for (const code of all('pre > code')) {
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

const links = new Map(all('nav a').map(link => [decodeURI(link.hash.slice(1)), link]));
const seen = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute('aria-current');
      links.get(target.id)?.setAttribute('aria-current', 'location');
    }
  },
  { rootMargin: '-10% 0% -80%' },
);
for (const section of all('main > section')) seen.observe(section);
