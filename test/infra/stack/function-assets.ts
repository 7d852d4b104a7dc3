import { join } from 'node:path';
import { inject } from 'vitest';
import { resourcesOf, templateOf } from './templates.ts';

/** The Lambda functions of a stack, by their names. */
export const FUNCTIONS = resourcesOf(templateOf('Petstore-Staging'), 'AWS::Lambda::Function');

/** The folder with the code of a function, as it would be deployed. */
export function assetOf(name: string): string {
  const { S3Key } = FUNCTIONS.get(name)?.Properties.Code ?? {};
  return join(inject('assembly'), `asset.${S3Key.replace(/\.zip$/, '')}`);
}
