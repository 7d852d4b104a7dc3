import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Whether a client takes an answer in gzip (RFC 9110, 12.5.3). A client that names no encodings takes any. */
export function acceptsGzip({ multiValueHeaders }: APIGatewayProxyEvent): boolean {
  const given = Object.entries(multiValueHeaders ?? {}).find(
    ([name]) => name.toLowerCase() === 'accept-encoding',
  );
  if (given === undefined) return true;
  const weights = new Map(
    (given[1] ?? [])
      .join(',')
      .toLowerCase()
      .split(',')
      .map(coding => {
        const [name = '', ...parameters] = coding.split(';').map(part => part.trim());
        const [, weight = '1'] = /^q=([\d.]+)$/.exec(parameters[0] ?? '') ?? [];
        return [name, Number(weight)];
      }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
