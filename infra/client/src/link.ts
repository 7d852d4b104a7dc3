/** The target of the first link with this relation in a Link header (RFC 8288), or undefined. */
export function linkTarget(header: string | null, relation: string): string | undefined {
  for (const [, target, parameters = ''] of (header ?? '').matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
    const [, quoted, bare] =
      /^(?:[^"]|"[^"]*")*?;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(parameters) ?? [];
    if ((quoted ?? bare)?.toLowerCase().split(/\s+/).includes(relation)) return target;
  }
  return undefined;
}
