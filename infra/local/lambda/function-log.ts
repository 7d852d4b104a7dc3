import type { LogGroups } from '../logs/log-groups.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import type { InvocationResult } from './invoker.ts';

/** What a function writes: every line to its log group, and the errors among them in short to the terminal. */
export interface FunctionLog {
  line(text: string): void;
  /** Lambda logs what a function failed with. */
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
      // Thrown by a TOKEN authorizer, this is an answer of every day and no fault.
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
    const said = message ?? msg ?? line;
    const cause = typeof error?.message === 'string' ? ` (${error.message})` : '';
    return `${level} ${typeof said === 'string' ? said : JSON.stringify(said)}${cause}`;
  } catch {
    return undefined;
  }
}
