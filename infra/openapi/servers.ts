import type { oas31 } from 'zod-openapi';

/** An address on AWS contains the API's id and region, which differ between deployments. */
const ON_AWS = {
  api: { default: 'abcdefghij', description: 'Id of the API, from the output `BaseUrl` of its stack.' },
  region: { default: 'us-east-1', description: 'AWS region of the deployment.' },
};

function server(stage: string, description: string): oas31.ServerObject {
  return {
    url: `https://{api}.execute-api.{region}.amazonaws.com/${stage}/v1`,
    description,
    variables: ON_AWS,
  };
}

/** The environments that clients use. A personal one is for its engineer. */
export const SERVERS: readonly oas31.ServerObject[] = [
  server('production', 'Production'),
  server('staging', 'Staging'),
];
