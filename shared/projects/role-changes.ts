import { type Routing, redirectOf, withMoved } from './routing.ts';

/** The other one of an apex and its www. */
export function siblingOf(domain: string): string {
  return domain.startsWith('www.') ? domain.slice('www.'.length) : `www.${domain}`;
}

type RoutedProject = Pick<Routing, 'liveDomains' | 'primary' | 'redirects'> & { readonly id: string };

/** Which roles change when domains move from one project to another, as sentences that are true before it and after it. */
export function rolesMoved(names: readonly string[], from: RoutedProject, to: RoutedProject): string[] {
  const after = withMoved(names, from, to);
  const concerned = new Set([
    ...names,
    ...from.liveDomains,
    ...from.redirects.map(redirect => redirect.from),
  ]);
  const sentences = [...concerned].flatMap(name => {
    const isMoved = names.includes(name);
    const [{ id }, routing] = isMoved ? [to, after.to] : [from, after.from];
    const [ended, kept] = [redirectOf(from, name), redirectOf(routing, name)];
    const isNewPrimary = routing.primary === name && (isMoved || from.primary !== name);
    const serves = !isNewPrimary && routing.liveDomains.includes(name) && (isMoved || ended);
    const changes = [
      ...(ended && !kept ? [`no longer redirects to ${ended.to}`] : []),
      ...(kept && isMoved ? [`keeps its redirect to ${kept.to}`] : []),
      ...(isNewPrimary ? [`becomes the primary domain of project ${id}`] : []),
      ...(serves && !kept ? [`serves project ${id}`] : []),
    ];
    return changes.length > 0 ? [`${name} ${changes.join(' and ')}.`] : [];
  });
  const isEmptied = from.liveDomains.length > 0 && after.from.liveDomains.length === 0;
  return isEmptied
    ? [...sentences, `Project ${from.id} has no live domain left: only its default URL serves it.`]
    : sentences;
}
