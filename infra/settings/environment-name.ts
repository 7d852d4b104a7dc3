import { nearest } from '../tools/nearest.ts';

/** The environments that the app always has. Any other name is a personal environment. */
export const STANDING_ENVIRONMENTS = ['staging', 'production'] as const;

/**
 * Letters and digits only: names such as petstore-<environment>-redirects then differ for any two environments. The
 * length leaves room for them in a Lambda function's name, of 64 characters.
 */
const NAME = /^[a-z][a-z0-9]{1,19}$/;

/**
 * Why no environment can have this name; undefined if one can. A name close to production or staging is refused, since
 * it is more likely a typing error than a personal environment.
 */
export function environmentNameFault(name: string): string | undefined {
  if (STANDING_ENVIRONMENTS.some(standing => standing === name)) return undefined;
  const meant = environmentMeantBy(name);
  if (meant) return `did you mean ${meant}?`;
  if (!NAME.test(name)) return 'use 2–20 lowercase letters and digits; start with a letter';
  return undefined;
}

/** The standing environment that is likely meant by another name. */
export function environmentMeantBy(name: string): string | undefined {
  const meant = nearest(name, STANDING_ENVIRONMENTS);
  return meant === name ? undefined : meant;
}

/** The stack of an environment: Petstore-Production for production. */
export function stackNameOf(environment: string): string {
  return `Petstore-${environment.charAt(0).toUpperCase()}${environment.slice(1)}`;
}

/** The function that operators of an environment invoke. */
export function operatorFunctionOf(environment: string): string {
  return `petstore-${environment}-operator`;
}

/** The function that `petstore doctor` and `petstore smoke` invoke, which runs only what they need. */
export function checksFunctionOf(environment: string): string {
  return `petstore-${environment}-checks`;
}

/** The command line that deploys an environment. */
export function deployCommandOf(environment: string): string {
  return cdkCommandOf('deploy', environment);
}

/** The command line that deletes the stack of an environment. */
export function destroyCommandOf(environment: string): string {
  return cdkCommandOf('destroy', environment);
}

function cdkCommandOf(verb: string, environment: string): string {
  const isStanding = STANDING_ENVIRONMENTS.some(standing => standing === environment);
  return `npx cdk ${verb} ${stackNameOf(environment)}${isStanding ? '' : ` -c environment=${environment}`}`;
}
