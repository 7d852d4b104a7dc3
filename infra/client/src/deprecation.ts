/** An operation that is going to be removed, as its responses announce it. */
export interface Deprecation {
  /** The operation, such as `GET /pets/{petId}`. */
  readonly operation: string;
  /** Since when it is deprecated. */
  readonly since: Date;
  /** When it is removed, if that is decided. */
  readonly sunset: Date | undefined;
  /** The URL to call instead, if there is one. */
  readonly successor: string | undefined;
}

/** The deprecation that the headers of a response announce (RFC 9745, RFC 8594), or undefined. */
export function deprecationOf(operation: string, headers: Headers): Deprecation | undefined {
  const [, seconds] = /^@(-?\d+)$/.exec(headers.get('Deprecation') ?? '') ?? [];
  if (!seconds) return undefined;
  const sunset = headers.get('Sunset');
  return {
    operation,
    since: new Date(Number(seconds) * 1000),
    sunset: sunset ? new Date(sunset) : undefined,
    successor: linkTargets(headers.get('Link'), 'successor-version')?.[0],
  };
}

/** Warns on the console. */
export function warnOfDeprecation({ operation, sunset, successor }: Deprecation): void {
  const removal = sunset ? ` and is removed on ${sunset.toUTCString()}` : '';
  const advice = successor ? ` Use ${successor} instead.` : '';
  // biome-ignore lint/suspicious/noConsole: the console is where a developer sees it; onDeprecation replaces it.
  console.warn(`petstore-client: ${operation} is deprecated${removal}.${advice}`);
}

/** A link and what separates it from the next one. Every character can be matched in one way only: it is linear. */
const LINK = /[\s,]*<([^<>]*)>\s*((?:;(?:[^,;"]|"(?:[^"\\]|\\.)*")*)*)(?:,|$)/y;

/** The targets of the links with this relation in a Link header (RFC 8288), or undefined if the header is malformed. */
export function linkTargets(header: string | null, relation: string): string[] | undefined {
  const text = header?.trim() ?? '';
  const targets: string[] = [];
  for (let end = 0; end < text.length; end = LINK.lastIndex) {
    LINK.lastIndex = end;
    const [link, target = '', parameters = ''] = LINK.exec(text) ?? [];
    if (link === undefined) return undefined;
    const [, quoted, bare] =
      /^(?:[^"]|"[^"]*")*?;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare)?.toLowerCase().split(/\s+/).includes(relation)) targets.push(target);
  }
  return targets;
}
