import { idleCosts } from './idle-costs.ts';
import { MEASURED_ON } from './measured.ts';
import { PRICES_AS_OF } from './prices.ts';
import { type RequestCost, requestCosts } from './request-costs.ts';
import { resourcesOf, type Template } from './template.ts';

const SECONDS_OF_DAY = 24 * 60 * 60;
const MILLION = 1_000_000;

/** The tables of the README: a million requests by operation, a month without requests, and a day of abuse. */
export function costReport(template: Template): string {
  const requests = requestCosts(template);
  const idle = idleCosts(template);
  const idleTotal = idle.reduce((sum, { usd }) => sum + usd, 0);
  return [
    `Prices of ${PRICES_AS_OF}, measured on ${MEASURED_ON}.`,
    '',
    '| A million requests | API Gateway | Lambda | DynamoDB | logs | transfer | total |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...requests.map(requestRow),
    '',
    '| A month without requests | count | |',
    '|---|--:|--:|',
    ...idle.map(({ what, count, usd }) => `| ${what} | ${count} | ${dollars(usd)} |`),
    `| **total** | | **${dollars(idleTotal)}** |`,
    '',
    '| A day of requests without a key, as many as the throttles admit | a second | |',
    '|---|--:|--:|',
    ...abuseRows(template, requests),
    '',
  ].join('\n');
}

/** The table of the project's README: what the operations and a month without requests cost. */
export function costSummary(template: Template): string {
  const idleTotal = idleCosts(template).reduce((sum, { usd }) => sum + usd, 0);
  return [
    '| | |',
    '|---|--:|',
    ...requestCosts(template)
      .filter(({ tables }) => tables > 0)
      .map(({ name, total }) => `| a million times ${name} | ${dollars(total)} |`),
    `| a month without requests, most of it for alarms | ${dollars(idleTotal)} |`,
    '',
  ].join('\n');
}

function requestRow({ name, gateway, lambda, tables, logs, transfer, total }: RequestCost): string {
  const cells = [gateway, lambda, tables, logs, transfer, total].map(dollars);
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** The open routes by the end of their paths, with the requests that cost what they do. */
const OPEN_ROUTES: readonly [path: RegExp, request: string][] = [
  [/~1docs$/, 'the reference page'],
  [/~1openapi\.json$/, 'the OpenAPI document'],
  [/~1docs~1scalar-[0-9a-f]+\.js$/, 'the script of the reference page'],
];

function abuseRows(template: Template, requests: readonly RequestCost[]): string[] {
  const settings = resourcesOf(template, 'AWS::ApiGateway::Stage').flatMap(
    ([, { Properties }]) => Properties.MethodSettings ?? [],
  );
  return OPEN_ROUTES.map(([path, name]) => {
    const own = settings.find(({ ResourcePath }) => path.test(ResourcePath));
    const { total } = requests.find(request => request.name === name) ?? { total: Number.NaN };
    if (own === undefined || Number.isNaN(total)) throw new Error(`${name} has no throttle or no price.`);
    const perDay = own.ThrottlingRateLimit * SECONDS_OF_DAY;
    return `| ${name} | ${own.ThrottlingRateLimit} | ${dollars((perDay / MILLION) * total)} |`;
  });
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
