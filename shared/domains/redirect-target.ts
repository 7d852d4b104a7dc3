/** Where a domain redirects to, and with which status. */
interface RedirectTarget {
  readonly to: string;
  readonly status: number;
}

type Find<Found> = (key: string) => Promise<Found | undefined>;

/** Looks up where a host redirects to: its domain names the project, whose routing has the redirects. */
export function redirectTarget(
  findDomain: Find<{ readonly project: string }>,
  findProject: Find<{ readonly redirects: readonly ({ readonly from: string } & RedirectTarget)[] }>,
): Find<RedirectTarget> {
  return async host => {
    const domain = await findDomain(host);
    const project = domain && (await findProject(domain.project));
    return project?.redirects.find(({ from }) => from === host);
  };
}
