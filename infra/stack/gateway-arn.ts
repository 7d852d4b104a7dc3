import { Arn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The ARN of a path of API Gateway's control plane. */
export function gatewayArn(scope: Construct, path: string): string {
  return Arn.format({ service: 'apigateway', account: '', resource: path }, Stack.of(scope));
}
