/** A base URL of the interface, as OpenAPI describes it. */
export interface Server {
  readonly url: string;
  readonly description: string;
}

/**
 * The base URLs that a client can call: the called one first, then those of the other stages at the same host. A custom
 * domain is mapped to one stage and has no stage in its path.
 */
export function serversAt(
  baseUrl: string,
  { stage, stagesOfHost }: { readonly stage: string; readonly stagesOfHost: readonly string[] },
): Server[] {
  const ending = `/${stage}/v1`;
  const others = baseUrl.endsWith(ending) ? stagesOfHost.filter(other => other !== stage) : [];
  return [
    { url: baseUrl, description: descriptionOf(stage) },
    ...others.map(other => ({
      url: `${baseUrl.slice(0, -ending.length)}/${other}/v1`,
      description: descriptionOf(other),
    })),
  ];
}

/** Each stage has API keys of its own. */
function descriptionOf(stage: string): string {
  const name = `${stage.charAt(0).toUpperCase()}${stage.slice(1)}`;
  const prefix = stage === 'production' ? 'pet_live_' : 'pet_test_';
  return `${name}: use an API key that starts with ${prefix}`;
}
