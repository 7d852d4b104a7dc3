import * as z from 'zod';
import { PARTITION } from '../cloudformation/pseudo-parameters.ts';

/** An id of a hosted zone or a change. Clients may give it as they got it: /hostedzone/Z…. */
export const ResourceId = z.string().transform(bareId);

export function hostedZoneArn(givenId: string): string {
  return `arn:${PARTITION}:route53:::hostedzone/${bareId(givenId)}`;
}

export function changeArn(givenId: string): string {
  return `arn:${PARTITION}:route53:::change/${bareId(givenId)}`;
}

function bareId(given: string): string {
  return given.replace(/^\/?(hostedzone|change)\//, '');
}
