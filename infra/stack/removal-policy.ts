import { RemovalPolicy } from 'aws-cdk-lib';
import type { Environment } from './environments.ts';

/**
 * What happens to a resource that holds data when the stack is deleted. A first deploy that fails leaves nothing behind
 * in either case.
 */
export function removalPolicyOf({ keepsData }: Environment): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
