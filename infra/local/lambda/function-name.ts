import { functionArn } from './function-type.ts';

/**
 * The ARN of a function that is named in one of the ways Lambda accepts: my-function, function:my-function,
 * 000000000000:function:my-function, or the ARN; each with or without the qualifier :$LATEST. Another qualifier stays
 * in the ARN, where it names nothing, since nothing is published here.
 */
export function arnOfFunction(nameOrArn: string, qualifier = '$LATEST'): string {
  const name = nameOrArn.replace(/^(.*:)?function:/, '').replace(/:\$LATEST$/, '');
  return functionArn(qualifier === '$LATEST' ? name : `${name}:${qualifier}`);
}
