import * as z from 'zod';
import { awsService } from './aws-api/aws-service.ts';
import { operationOf } from './aws-api/operation.ts';
import type { AwsService } from './aws-api/service-api.ts';
import { ACCOUNT_ID } from './cloudformation/pseudo-parameters.ts';

const operation = operationOf<typeof import('@aws-sdk/client-sts')>();

/** STS, of which everybody may call GetCallerIdentity. */
export const stsService: AwsService = awsService({
  title: 'STS',
  sdk: () => import('@aws-sdk/client-sts').then(sdk => [sdk, sdk.STSClient]),
  actionPrefix: 'sts',
  operations: [
    operation({
      name: 'GetCallerIdentity',
      input: z.strictObject({}),
      isForEverybody: true,
      isForOtherAccounts: true,
      perform: (_, { callerArn }) => ({
        Arn: callerArn,
        UserId: callerArn.split('/').at(-1),
        Account: ACCOUNT_ID,
      }),
    }),
  ],
});
