import type { RequestListener } from 'node:http';
import type { Check } from '../../../../infra/cli/checks/check.ts';
import { runChecks } from '../../../../infra/cli/checks/run-checks.ts';
import { TEST_KEY } from '../../../../infra/local/testing/served-endpoint.ts';
import { silentServer } from '../../../shared/aws/silent-server.ts';
import { type Answer, refuses, startAnsweringOperator, succeeds } from '../../operator/operator-stand-in.ts';
import { apiKey, KEY } from '../keys/api-key-fixture.ts';
import { petstoreHere } from '../petstore-here.ts';

export type Payload = Record<string, unknown>;

/** The public API of an environment and its operator function, which can be told to answer commands in another way. */
export async function environment(
  answer: RequestListener,
  instead: Readonly<Record<string, Answer>> | ((payload: Payload) => Answer | undefined) = {},
  { project, route53 }: { project?: (endpointUrl: string) => object; route53?: string } = {},
) {
  const { endpoint } = await silentServer(() => answer);
  const endpointUrl = `${endpoint}/staging`;
  let created = 0;
  const answers: Record<string, () => Answer> = {
    'projects.show': () =>
      succeeds({ endpointUrl, defaultEndpoint: 'open', apiId: 'abcdefghij', ...project?.(endpointUrl) }),
    'projects.create': () => refuses('project_exists', 'There is a project already.', 'conflict'),
    'projects.list': () => succeeds({ projects: [] }),
    'keys.list': () => succeeds({ keys: [] }),
    'keys.create': () => {
      created += 1;
      return succeeds({ ...apiKey, id: `key_${created}`, key: KEY });
    },
  };
  const operator = await startAnsweringOperator(payload => {
    const command = String(payload.command);
    const first = typeof instead === 'function' ? instead(payload) : instead[command];
    return first ?? answers[command]?.() ?? succeeds({ ...apiKey, revokedAt: '2026-01-01T00:00:00.000Z' });
  });
  return {
    run: (options = '') =>
      petstoreHere(`smoke${options}`, {
        ...operator.environment,
        AWS_ENDPOINT_URL_API_GATEWAY: 'http://127.0.0.1:1',
        // It has no logs.
        AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: operator.endpoint,
        ...(route53 && {
          AWS_REGION: 'us-east-1',
          AWS_ENDPOINT_URL_ROUTE_53: route53,
          AWS_ACCESS_KEY_ID: TEST_KEY.accessKeyId,
          AWS_SECRET_ACCESS_KEY: TEST_KEY.secretAccessKey,
        }),
      }),
    invoked: () => new Set(operator.invocations.map(({ functionName }) => functionName)),
    payloads: (command: string) =>
      operator.invocations.map(({ payload }) => payload).filter(payload => payload.command === command),
    /** The commands of a group that changed something, or tried to. */
    changes: (group: string) =>
      operator.invocations
        .map(({ payload }) => payload)
        .filter(({ command, requestId }) => String(command).startsWith(group) && requestId !== undefined),
  };
}

export const failing: RequestListener = (_, response) => void response.writeHead(500).end('{}');

/** What a check ends with in an environment of which the test has what the check needs. */
export async function endOf(check: Check<never> | undefined, parts: object): Promise<string> {
  if (check === undefined) throw new Error('There is no such check.');
  const [result] = await Array.fromAsync(runChecks([check], parts as never));
  const { is, message } = result?.finding ?? {};
  return message === undefined ? `${is}` : `${is}: ${message}`;
}
