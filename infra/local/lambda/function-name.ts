import { functionArn } from './function-type.ts';

/**
 * The ARN of a function by any name that Lambda accepts: my-function, function:my-function,
 * 000000000000:function:my-function, or the ARN; each with or without the qualifier :$LATEST. Other qualifiers stay in
 * the ARN, for which there is no function: the local runtime has no versions.
 */
export function arnOfFunction(nameOrArn: string, qualifier = '$LATEST'): string {
  const name = nameOrArn.replace(/^(.*:)?function:/, '').replace(/:\$LATEST$/, '');
  return functionArn(qualifier === '$LATEST' ? name : `${name}:${qualifier}`);
}
