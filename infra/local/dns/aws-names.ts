import { REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import { isWithin } from '../route53/domain-name.ts';

/** The public zones of AWS whose names the stand-ins give out: APIs and their domain names, ACM's validation targets. */
const AWS_ZONES = [`execute-api.${REGION}.${URL_SUFFIX}.`, 'acm-validations.aws.'];

/** A name server of a delegation set. */
const NAME_SERVER = /^ns-\d+\.awsdns-\d\d\.(com|net|org|co\.uk)\.$/;

/** Whether a name, in Route 53's form, is one of AWS's own in public DNS. On one machine all of them are here. */
export function isAwsName(name: string): boolean {
  return NAME_SERVER.test(name) || AWS_ZONES.some(zone => isWithin(name, zone));
}
