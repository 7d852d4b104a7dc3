// src/deprecation.ts
function deprecationOf(operation, headers) {
  const [, seconds] = /^@(-?\d+)$/.exec(headers.get("Deprecation") ?? "") ?? [];
  if (!seconds) return void 0;
  const sunset = headers.get("Sunset");
  return {
    operation,
    since: new Date(Number(seconds) * 1e3),
    sunset: sunset ? new Date(sunset) : void 0,
    successor: linkTargets(headers.get("Link"), "successor-version")?.[0]
  };
}
function warnOfDeprecation({ operation, sunset, successor }) {
  const removal = sunset ? ` and is removed on ${sunset.toUTCString()}` : "";
  const advice = successor ? ` Use ${successor} instead.` : "";
  console.warn(`petstore-client: ${operation} is deprecated${removal}.${advice}`);
}
var LINK = /[\s,]*<([^<>]*)>\s*((?:;(?:[^,;"]|"(?:[^"\\]|\\.)*")*)*)(?:,|$)/y;
function linkTargets(header, relation) {
  const text = header?.trim() ?? "";
  const targets = [];
  for (let end = 0; end < text.length; end = LINK.lastIndex) {
    LINK.lastIndex = end;
    const [link, target = "", parameters = ""] = LINK.exec(text) ?? [];
    if (link === void 0) return void 0;
    const [, quoted, bare] = /^(?:[^"]|"[^"]*")*?;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare)?.toLowerCase().split(/\s+/).includes(relation)) targets.push(target);
  }
  return targets;
}

// src/json.ts
var TOKEN = /("[^"\\]*(?:\\[\s\S][^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(\s*:)?/g;
var INT64_DIGITS = 19;
function parseJson(text) {
  const marked = text.replace(TOKEN, (all, token, colon) => {
    if (colon) return all;
    return token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  return JSON.parse(marked, (_name, value) => {
    if (typeof value !== "string") return value;
    const source = value.slice(1);
    return value[0] === "s" ? source : exactInteger(source) ?? Number(source);
  });
}
function stringifyJson(value) {
  if (typeof value === "bigint") return `${value}`;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${value} is not exact: use a bigint.`);
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(stringifyJson)}]`;
  const members = Object.entries(value).filter(([, member]) => member !== void 0);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`)}}`;
}
function exactInteger(source) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const allDigits = (whole + fraction).replace(/^0+/, "");
  if (!allDigits) return 0n;
  const digits = allDigits.replace(/(?<!0)0+$/, "");
  const zeros = Number(exponent) - fraction.length + (allDigits.length - digits.length);
  if (zeros < 0 || digits.length + zeros > INT64_DIGITS) return void 0;
  return BigInt(sign + digits + "0".repeat(zeros));
}

// src/petstore-error.ts
var PetstoreError = class extends Error {
  /** A string of its own: the name of the class does not survive a minifier. */
  name = "PetstoreError";
  /**
   * The code of the service's response; `network_error` without a response, with the reason as `cause`;
   * `unexpected_answer` if the response is not the service's.
   */
  code;
  /** The HTTP status; 0 without a response. */
  status;
  /** Identifies the request. Quote it when you report something. */
  requestId;
  /** After how many seconds the service asked to be called again. */
  retryAfter;
  constructor(code, message, { status, requestId, retryAfter, cause }) {
    super(message, cause === void 0 ? void 0 : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
};

// src/retry.ts
var FIRST_CAP_MS = 100;
var HIGHEST_CAP_MS = 1e4;
var MAX_RETRY_AFTER_SECONDS = 30;
var RETRIED_STATUSES = [429, 500, 502, 503, 504];
function retryDelayMs({ code, status, retryAfter = 0 }, attempt, clock) {
  if (code !== "network_error" && !RETRIED_STATUSES.includes(status)) return void 0;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return void 0;
  const capMs = Math.min(HIGHEST_CAP_MS, FIRST_CAP_MS * 2 ** (attempt - 1));
  return retryAfter * 1e3 + clock.random() * capMs;
}
function retryAfterSeconds(header, nowMs) {
  if (!header) return void 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1e3;
  return Number.isNaN(seconds) ? void 0 : Math.max(0, seconds);
}
var SYSTEM_CLOCK = {
  now: Date.now,
  random: Math.random,
  async sleep(delayMs, signal) {
    signal?.throwIfAborted();
    let wake = () => {
    };
    const slept = new Promise((resolve) => {
      wake = resolve;
    });
    const timer = setTimeout(wake, delayMs);
    signal?.addEventListener("abort", wake, { once: true });
    await slept;
    clearTimeout(timer);
    signal?.removeEventListener("abort", wake);
    signal?.throwIfAborted();
  }
};

// src/shape.ts
var Optional = class {
  kind;
  constructor(kind) {
    this.kind = kind;
  }
};
function differenceFrom(value, shape) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it isn't an object";
  for (const [name, expected] of Object.entries(shape)) {
    const member = Object.hasOwn(value, name) ? value[name] : void 0;
    const isOptional = expected instanceof Optional;
    if (isOptional && member === void 0) continue;
    if (!isOfKind(member, isOptional ? expected.kind : expected)) {
      return `${name} is ${member === void 0 ? "missing" : "not as documented"}`;
    }
  }
  return void 0;
}
function isOfKind(member, kind) {
  if (typeof kind === "string") return typeof member === kind;
  return typeof member === "string" && Object.hasOwn(kind, member);
}

// src/connection.ts
var LONGEST_TIMER_MS = 2 ** 31 - 1;
var Connection = class {
  #settings;
  #authorization;
  /** Operations whose deprecation was reported. */
  #reported = /* @__PURE__ */ new Set();
  constructor(settings) {
    this.#settings = settings;
    if (!settings.apiKey) throw new TypeError("apiKey is missing. Is the variable that should hold it set?");
    if (!(settings.timeoutMs > 0)) throw new TypeError("timeoutMs must be a number above 0.");
    if (!/^[\x21-\x7e]+$/.test(settings.apiKey)) {
      throw new TypeError("apiKey must be an API key, which has letters, digits and underscores only.");
    }
    this.#authorization = new Headers({ Authorization: `Bearer ${settings.apiKey}` });
  }
  /** The body of a successful response; undefined where none is documented, which has no shape. */
  async value(call, shape) {
    const received = await this.#send(call);
    return shape ? documented(bodyOf(received), shape, received.response) : void 0;
  }
  /** A page and the link to the next one. */
  async page(call, shape, readPages) {
    const received = await this.#send(call);
    const items = bodyOf(received);
    if (!Array.isArray(items)) throw unexpectedResponse(received.response, "The response isn't a list.");
    for (const item of items) documented(item, shape, received.response);
    return { items, next: this.#nextPage(received.response, call.url, readPages) };
  }
  /** The next page must not leave the origin, since the API key is sent there, and a list must come to an end. */
  #nextPage(response, url, readPages) {
    const link = response.headers.get("Link");
    const targets = linkTargets(link, "next");
    const [target] = targets ?? [];
    if (targets?.length === 0) return void 0;
    if (target === void 0 || targets?.length !== 1 || !URL.canParse(target, url.href)) {
      throw unexpectedResponse(response, `The link to the next page can't be read: ${link}`);
    }
    const next = new URL(target, url);
    if (next.origin !== this.#settings.origin) {
      throw unexpectedResponse(response, `The next page is on another origin: ${next.origin}.`);
    }
    if (readPages.has(next.href)) throw unexpectedResponse(response, "The next page was already read.");
    return next;
  }
  async #send(call) {
    const { maxAttempts, clock } = this.#settings;
    const headers = new Headers(this.#authorization);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(call, headers);
      if (!(outcome instanceof PetstoreError)) return outcome;
      const delayMs = attempt < maxAttempts ? retryDelayMs(outcome, attempt, clock) : void 0;
      if (delayMs === void 0) throw outcome;
      await clock.sleep(delayMs, call.signal);
    }
  }
  async #attempt(call, headers) {
    call.signal?.throwIfAborted();
    let received;
    try {
      received = await this.#exchange(call, headers);
    } catch (cause) {
      call.signal?.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : cause;
      return new PetstoreError("network_error", `No response from ${call.url.origin}: ${reason}`, {
        status: 0,
        cause
      });
    }
    this.#reportDeprecation(call.operation, received.response.headers);
    return received.response.ok ? received : errorOf(received, this.#settings.clock.now());
  }
  /** Sends the request once and reads the whole response within the time limit. */
  async #exchange({ url, method = "GET", body = null, signal }, headers) {
    const { fetch, timeoutMs } = this.#settings;
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    const expire = () => controller.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, "TimeoutError"));
    const timer = timeoutMs > LONGEST_TIMER_MS ? void 0 : setTimeout(expire, timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const response = await fetch(url, {
        method,
        headers,
        body,
        redirect: "manual",
        signal: controller.signal
      });
      return { response, text: await response.text() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
  #reportDeprecation(operation, headers) {
    const deprecation = deprecationOf(operation, headers);
    if (!deprecation || this.#reported.has(operation)) return;
    this.#reported.add(operation);
    Promise.resolve(deprecation).then(this.#settings.onDeprecation).catch((error) => {
      console.warn("petstore-client: onDeprecation failed.", error);
    });
  }
};
function bodyOf({ response, text }) {
  try {
    return parseJson(text);
  } catch (cause) {
    throw unexpectedResponse(response, "The response is not JSON.", cause);
  }
}
function documented(value, shape, response) {
  const difference = differenceFrom(value, shape);
  if (difference) throw unexpectedResponse(response, `The response is not as documented: ${difference}.`);
  return value;
}
function errorOf({ response, text }, nowMs) {
  const retryAfter = retryAfterSeconds(response.headers.get("Retry-After"), nowMs);
  try {
    const { code, message } = JSON.parse(text);
    if (typeof code === "string")
      return new PetstoreError(code, message, { ...detailsOf(response), retryAfter });
  } catch {
  }
  return new PetstoreError("unexpected_answer", `The response is HTTP ${response.status}.`, {
    ...detailsOf(response),
    retryAfter
  });
}
function unexpectedResponse(response, message, cause) {
  return new PetstoreError("unexpected_answer", message, { ...detailsOf(response), cause });
}
function detailsOf({ status, headers }) {
  return { status, requestId: headers.get("X-Request-Id") ?? void 0 };
}

// src/paged-list.ts
var PagedList = class {
  #first;
  #load;
  /** @internal */
  constructor(first, load) {
    this.#first = first;
    this.#load = load;
  }
  async *[Symbol.asyncIterator]() {
    for await (const { items } of this.pages()) yield* items;
  }
  /** Iterates page by page. */
  async *pages() {
    const readPages = /* @__PURE__ */ new Set();
    for (let url = this.#first; url; ) {
      readPages.add(url.href);
      const { items, next } = await this.#load(url, readPages);
      yield { items, nextCursor: next?.searchParams.get("cursor") ?? void 0 };
      url = next;
    }
  }
};

// src/petstore.ts
var PET = {
  id: "bigint",
  name: "string",
  categoryId: "bigint",
  status: { available: true, pending: true, sold: true }
};
var ORDER = {
  id: "bigint",
  petId: "bigint",
  status: { placed: true, approved: true, delivered: true },
  placedAt: "string"
};
var Petstore = class {
  pets;
  orders;
  constructor({ baseUrl, apiKey, ...options }) {
    const { origin, pathname } = new URL(baseUrl);
    const base = origin + pathname.replace(/\/+$/, "");
    const connection = new Connection({
      origin,
      apiKey,
      maxAttempts: options.maxAttempts ?? 8,
      timeoutMs: options.timeoutMs ?? 1e4,
      onDeprecation: options.onDeprecation ?? warnOfDeprecation,
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock: options.clock ?? SYSTEM_CLOCK
    });
    this.pets = new Pets(base, connection);
    this.orders = new Orders(base, connection);
  }
};
var Pets = class {
  #base;
  #connection;
  constructor(base, connection) {
    this.#base = base;
    this.#connection = connection;
  }
  /** Lists animals in the order of their creation, page by page while the list is iterated. */
  list(query = {}, { signal } = {}) {
    return new PagedList(
      urlOf(`${this.#base}/pets`, query),
      (url, readPages) => this.#connection.page({ operation: "GET /pets", url, signal }, PET, readPages)
    );
  }
  /** Adds one animal, however often the request has to be sent. */
  create(pet, { signal, idempotencyKey = randomKey() } = {}) {
    return this.#connection.value(
      {
        operation: "POST /pets",
        url: new URL(`${this.#base}/pets`),
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
        body: stringifyJson(pet),
        signal
      },
      PET
    );
  }
  /**
   * Gets one animal.
   *
   * @deprecated The service removes this operation on 5 December 2030. Use `list` with a `status`.
   */
  get(id, { signal } = {}) {
    return this.#connection.value(
      {
        operation: "GET /pets/{petId}",
        url: new URL(`${this.#base}/pets/${encodeURIComponent(String(id))}`),
        signal
      },
      PET
    );
  }
};
var Orders = class {
  #base;
  #connection;
  constructor(base, connection) {
    this.#base = base;
    this.#connection = connection;
  }
  /**
   * Lists orders in the order in which they were placed, page by page while the list is iterated.
   *
   * @experimental The operation may change or disappear at any time.
   */
  list(query = {}, { signal } = {}) {
    return new PagedList(
      urlOf(`${this.#base}/store/orders`, query),
      (url, readPages) => this.#connection.page({ operation: "GET /store/orders", url, signal }, ORDER, readPages)
    );
  }
};
function urlOf(base, query) {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== void 0) url.searchParams.set(name, String(value));
  }
  return url;
}
function randomKey() {
  return Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (byte) => byte.toString(16).padStart(2, "0")
  ).join("");
}
export {
  Petstore,
  PetstoreError
};
