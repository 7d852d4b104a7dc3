/** Region and account of the local AWS. The account is the one that DynamoDB Local has in its ARNs. */
export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
export const PARTITION = 'aws';
export const URL_SUFFIX = 'amazonaws.com';

/** An ARN in this region and account, such as arn:aws:lambda:us-east-1:000000000000:function:CreatePet. */
export function regionalArn(service: string, resource: string): string {
  return `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
}

/** The id of a stack, the same at each start. */
export function stackId(stack: string): string {
  return regionalArn('cloudformation', `stack/${stack}/local`);
}
