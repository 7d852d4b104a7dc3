interface Server {
  readonly url: string;
  readonly description?: string;
}

/**
 * The document as one environment serves it: its own address comes first, in full. The other environment's address
 * stays a template, since the environments do not know each other's API ids.
 */
export function withOwnServerFirst<Document extends { readonly servers: readonly Server[] }>(
  document: Document,
  stage: string,
  baseUrl: string,
): Document {
  const isOwn = ({ url }: Server) => url.endsWith(`/${stage}/v1`);
  const own = document.servers.find(isOwn);
  const others = document.servers.filter(server => !isOwn(server));
  return { ...document, servers: [{ url: baseUrl, description: own?.description ?? stage }, ...others] };
}
