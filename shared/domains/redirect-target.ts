/** Where a domain redirects to, and with which status. */
interface RedirectTarget {
  readonly to: string;
  readonly status: number;
}

type Find<Found> = (key: string) => Promise<Found | undefined>;

/** Looks up where a host redirects to: the routing of the project that owns the name has the redirects. */
export function redirectTarget(
  ownerOf: Find<string>,
  findProject: Find<{ readonly redirects: readonly ({ readonly from: string } & RedirectTarget)[] }>,
): Find<RedirectTarget> {
  return async host => {
    const owner = await ownerOf(host);
    const project = owner && (await findProject(owner));
    return project ? project.redirects.find(({ from }) => from === host) : undefined;
  };
}
