import type { Answer } from './answer.ts';
import { contextText } from './context-variables.ts';
import type { Declared } from './declared-resources.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { Stage } from './resource-properties.ts';

/** Writes one line for an answered request. */
export type AccessLog = (exchange: Exchange, answer: Answer) => void;

/** The access log of a stage in the stage's own format. A variable without a value is written as `-`. */
export function accessLog({ properties, refuse }: Declared<Stage>, services: GatewayServices): AccessLog {
  if (properties.AccessLogSetting === undefined) return () => {};
  const { DestinationArn, Format } = properties.AccessLogSetting;
  const line = contextText(Format, 'the access log format', '-', refuse);
  return ({ variables, startedAtMs }, { status, body }) => {
    variables.set('status', String(status));
    variables.set('responseLength', String(Buffer.byteLength(body)));
    variables.set('responseLatency', String(services.now() - startedAtMs));
    // The context of an authorizer may contain line breaks, but a request is one line.
    services.writeLog(DestinationArn, line(variables).replaceAll(/[\r\n]+/g, ' '));
  };
}
