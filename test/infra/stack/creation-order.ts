import type { Resources } from '../../../infra/local/template.ts';

/** What each resource waits for, directly or not. */
export function prerequisites({ Resources }: Resources): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return function of(id): ReadonlySet<string> {
    const found = known.get(id);
    if (found) return found;
    const named = new Set(JSON.stringify(Resources[id]).match(/\w+/g));
    const direct = [...named].filter(word => word !== id && word in Resources);
    const all = new Set(direct.flatMap(each => [each, ...of(each)]));
    known.set(id, all);
    return all;
  };
}

/**
 * The size of the largest set in which nothing waits for anything else. By Dilworth's theorem it is the number of chains
 * that it takes to cover all: that of the ids, less the largest matching of each with one that it waits for.
 */
export function mostAtOnce(ids: readonly string[], before: (id: string) => ReadonlySet<string>): number {
  const followers = new Map<string, string>();
  const isMatched = (id: string, seen: Set<string>): boolean =>
    ids.some(other => {
      if (seen.has(other) || !before(id).has(other)) return false;
      seen.add(other);
      const rival = followers.get(other);
      if (rival !== undefined && !isMatched(rival, seen)) return false;
      followers.set(other, id);
      return true;
    });
  return ids.length - ids.filter(id => isMatched(id, new Set())).length;
}
