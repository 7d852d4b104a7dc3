/**
 * `$context` variables and the texts that name them.
 *
 * A text is plain except for `$context.name`, which is replaced by the variable's value. Templates written in
 * VTL (#set, #if, $input, $util…) are refused: running them would need a VTL engine, and passing them on as text
 * would be silently wrong.
 */

/** Values by the name after `$context.`; a variable that has no value for this request is not in the map. */
export type ContextVariables = ReadonlyMap<string, string>;

/** Where a text stands, which decides the variables it may name. */
export type TextPlace = 'a mapping template' | 'a gateway response' | 'the access log format';

const REQUEST_VARIABLES = [
  'accountId',
  'apiId',
  'domainName',
  'domainPrefix',
  'extendedRequestId',
  'httpMethod',
  // Only methods that require an API key give these a value.
  'identity.apiKey',
  'identity.apiKeyId',
  'identity.sourceIp',
  'identity.userAgent',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'resourceId',
  'resourcePath',
  'stage',
  // IAM callers, web ACLs and traces do not exist on one machine: these are known and never have a value.
  'identity.caller',
  'identity.user',
  'identity.userArn',
  'wafResponseCode',
  'webaclArn',
  'xrayTraceId',
];
const ERROR_VARIABLES = ['error.message', 'error.messageString', 'error.responseType'];
const OUTCOME_VARIABLES = [
  'integration.integrationStatus',
  'integration.latency',
  'integration.status',
  'integrationErrorMessage',
  'integrationLatency',
  'integrationStatus',
  'responseLatency',
  'responseLength',
  'status',
];

const VARIABLES_BY_PLACE: Record<TextPlace, ReadonlySet<string>> = {
  'a mapping template': new Set(REQUEST_VARIABLES),
  'a gateway response': new Set([...REQUEST_VARIABLES, ...ERROR_VARIABLES]),
  'the access log format': new Set([...REQUEST_VARIABLES, ...ERROR_VARIABLES, ...OUTCOME_VARIABLES]),
};

/** A key of the context that a Lambda authorizer returns, its principalId, its latency: one level deep. */
const AUTHORIZER_KEY = /^authorizer\.[\w-]+$/;

const VARIABLE = /\$context\.([A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*)/g;

const VTL =
  /#\{?(?:set|if|elseif|else|end|foreach|include|parse|macro|evaluate|define|stop|break)\b|##|#\*|\$!?\{?[A-Za-z]\w*/;

/** Refuses a variable that has no value in that place. */
export function requireVariable(name: string, place: TextPlace, refuse: (fault: string) => never): void {
  if (VARIABLES_BY_PLACE[place].has(name) || AUTHORIZER_KEY.test(name)) return;
  refuse(`the local runtime does not know the variable $context.${name} in ${place}`);
}

/** Checks a text once, so that it can be rendered for every request; `absent` stands for variables without value. */
export function contextText(
  text: string,
  place: TextPlace,
  absent: string,
  refuse: (fault: string) => never,
): (variables: ContextVariables) => string {
  for (const [, name = ''] of text.matchAll(VARIABLE)) requireVariable(name, place, refuse);
  const construct = VTL.exec(text.replaceAll(VARIABLE, ''))?.[0];
  if (construct !== undefined) {
    refuse(`the local runtime does not know the template construct ${construct} in ${place}`);
  }
  return variables => text.replaceAll(VARIABLE, (_, name: string) => variables.get(name) ?? absent);
}
