import type { LogGroups } from '../logs/log-groups.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import type { InvocationResult } from './invoker.ts';

/** The log of a function: each line goes to its log group, each error in short to the terminal, too. */
export interface FunctionLog {
  line(text: string): void;
  /** Logs the error of a failed invocation, as Lambda does. */
  functionError(requestId: string, result: InvocationResult): void;
}

const REPORT_LENGTH = 300;

export function functionLog(
  { name, logGroup }: FunctionConfiguration,
  logGroups: LogGroups,
  report: (line: string) => void,
): FunctionLog {
  const reportShortly = (text: string) =>
    report(`${name}: ${text.replace(/\s+/g, ' ').slice(0, REPORT_LENGTH)}`);
  return {
    line: text => {
      logGroups.write(logGroup, text);
      const message = errorMessage(text);
      if (message !== undefined) {
        reportShortly(message);
      }
    },
    functionError: (requestId, { payload }) => {
      const message: { errorType?: string; errorMessage?: string } = JSON.parse(payload);
      const timestamp = new Date().toISOString();
      logGroups.write(logGroup, JSON.stringify({ timestamp, level: 'ERROR', requestId, message }));
      // A TOKEN authorizer rejects a token by this error: it is not a failure.
      if (message.errorMessage !== 'Unauthorized') {
        reportShortly(`${message.errorType}: ${message.errorMessage}`);
      }
    },
  };
}

/** The message of a line that is JSON with level ERROR or FATAL. */
function errorMessage(line: string): string | undefined {
  if (!/^\{.*"level":\s*"(ERROR|FATAL)"/.test(line)) {
    return undefined;
  }
  try {
    const { level, message, msg, error } = JSON.parse(line);
    const content = message ?? msg ?? line;
    const cause = typeof error?.message === 'string' ? ` (${error.message})` : '';
    return `${level} ${typeof content === 'string' ? content : JSON.stringify(content)}${cause}`;
  } catch {
    return undefined;
  }
}
