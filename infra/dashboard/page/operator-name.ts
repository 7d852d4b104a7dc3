/** The end of an ARN: the user, or the role and its session. On one machine the name of the user. */
export function operatorName(by: string): string {
  return by.replace(/^arn:[^:]*:(?:iam|sts)::\d*:(?:user\/|assumed-role\/)?/, '').replace(/^local:/, '');
}
