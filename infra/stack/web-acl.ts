import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Environment } from './environments.ts';

/** The window in which AWS WAF counts the requests of an address, in seconds: its default. */
const WINDOW_SECONDS = 300;

/** Puts the web ACL of the settings in front of an API: one of the account, or one of the stack that limits addresses. */
export function associateWebAcl(api: RestApi, { webAclArn, requestsPerAddress, stage }: Environment): void {
  const associate = (arn: string) =>
    new CfnWebACLAssociation(api, 'WebAcl', { resourceArn: api.deploymentStage.stageArn, webAclArn: arn });
  if (webAclArn !== undefined) associate(webAclArn);
  else if (requestsPerAddress !== undefined) {
    associate(addressLimit(Stack.of(api), stage, requestsPerAddress).attrArn);
  }
}

/** The web ACL of a stack, which both of its APIs share: a request to either counts for its address. */
function addressLimit(stack: Stack, stage: string, limit: number): CfnWebACL {
  const id = 'AddressLimit';
  const existing = stack.node.tryFindChild(id);
  if (existing) return existing as CfnWebACL;
  const visibilityConfig = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  return new CfnWebACL(stack, id, {
    description: `Petstore service, ${stage}: blocks an address after ${limit} requests in five minutes.`,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig(`petstore-${stage}`),
    rules: [
      {
        name: 'requests-per-address',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: WINDOW_SECONDS },
        },
        visibilityConfig: visibilityConfig(`petstore-${stage}-requests-per-address`),
      },
    ],
  });
}
