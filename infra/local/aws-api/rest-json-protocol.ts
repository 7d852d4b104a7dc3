/** AWS's REST-JSON protocol: `POST /apikeys {"name": "…"}`. */
import { answerJson, answerRestJsonError } from './http-messages.ts';
import { jsonObject } from './json-protocol.ts';
import { type RestApi, restService } from './rest-protocol.ts';
import type { AwsService } from './service-api.ts';

export interface RestJsonApi extends RestApi {
  /** Members of outputs that have another name in bodies, with that name. */
  readonly outputNames?: Readonly<Record<string, string>>;
}

export function restJsonService(api: RestJsonApi): AwsService {
  const { outputNames = {} } = api;
  return restService(api, {
    read: body => jsonObject(body, api),
    write(response, { status, headers, body }) {
      if (body === undefined) {
        response.writeHead(status, headers).end();
      } else if (typeof body === 'string') {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      } else {
        const members = Object.entries(body).map(([member, value]) => [outputNames[member] ?? member, value]);
        answerJson(response, status, Object.fromEntries(members), headers);
      }
    },
    writeError({ response }, status, error) {
      const { retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      answerRestJsonError(response, status, error);
    },
  });
}
