/**
 * `$context` variables and the texts that contain them.
 *
 * In a text, `$context.name` is replaced by the value of the variable. VTL (#set, #if, $input, $util…) is rejected: API
 * Gateway evaluates it in mapping templates only (mapping-template.ts).
 */

/** Values by the name after `$context.`. A variable without a value for this request is not in the map. */
export type ContextVariables = ReadonlyMap<string, string>;

/** Where a text is used, which decides the variables that it may contain. */
export type TextPlace = 'a mapping template' | 'a gateway response' | 'the access log format';

const REQUEST_VARIABLES = [
  'accountId',
  'apiId',
  'domainName',
  'domainPrefix',
  'extendedRequestId',
  'httpMethod',
  // These have a value only for methods that require an API key.
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
  // The local runtime has no IAM callers, web ACLs and traces: these are accepted and never have a value.
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
  'integration.requestId',
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

/** A key of the context that a Lambda authorizer returns, its principalId, or its latency. */
const AUTHORIZER_KEY = /^authorizer\.[\w-]+$/;

const VARIABLE = /\$context\.([A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)*)/g;

const VTL =
  /#\{?(?:set|if|elseif|else|end|foreach|include|parse|macro|evaluate|define|stop|break)\b|##|#\*|\$!?\{?[A-Za-z]\w*/;

/** Rejects a variable that has no value in that place. */
export function requireVariable(name: string, place: TextPlace, refuse: (fault: string) => never): void {
  if (VARIABLES_BY_PLACE[place].has(name) || AUTHORIZER_KEY.test(name)) return;
  refuse(`the variable $context.${name} in ${place} is not supported by the local runtime`);
}

/** Checks a text and returns its renderer, which writes `absent` for a variable without a value. */
export function contextText(
  text: string,
  place: TextPlace,
  absent: string,
  refuse: (fault: string) => never,
): (variables: ContextVariables) => string {
  for (const [, name = ''] of text.matchAll(VARIABLE)) requireVariable(name, place, refuse);
  const construct = VTL.exec(text.replaceAll(VARIABLE, ''))?.[0];
  if (construct !== undefined) {
    refuse(`the template construct ${construct} in ${place} is not supported by the local runtime`);
  }
  return variables => text.replaceAll(VARIABLE, (_, name: string) => variables.get(name) ?? absent);
}
