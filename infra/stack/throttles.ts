import { Aws, CfnMapping, Token } from 'aws-cdk-lib';
import { type CfnStage, Method, type Resource, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { REGIONS, type Throttle, throttleOf } from '../settings/regions.ts';
import type { Environment } from './environments.ts';
import { GATEWAY_METHODS } from './unrouted-requests.ts';

/**
 * Divides an environment's part of the account's quota (`throttle`) among the methods of its APIs. API Gateway has no limit for
 * a whole stage: a stage's throttle applies to each method separately, and counts refused requests, too. So a stranger takes
 * no more than the whole, however many paths they call, and at one path no more than that path's part.
 *
 * A method ANY is counted once for each method it takes. Stage settings don't accept the name ANY, but they accept the names
 * of the methods it takes.
 */

/**
 * A method's weight: `main` for what clients come for, `minor` for HEAD and OPTIONS beside it and unknown paths, `other`
 * for the rest.
 */
type Part = 'main' | 'minor' | 'other';

/**
 * How the parts compare. With today's operations, 4,400 requests a second are 700 for each method that clients come for, 70
 * each for HEAD and OPTIONS of its path and for each method of unknown paths, and 17 for each method that a path lacks.
 */
const WEIGHTS: Readonly<Record<Part, number>> = { main: 40, minor: 4, other: 1 };

/** Never less than this: browsers send several requests at once. */
const LEAST: Throttle = { ratePerSecond: 1, burst: 5 };

/** A method with its own throttle. */
interface ThrottledMethod {
  readonly path: string;
  readonly method: string;
  readonly part: Part | Throttle;
}

/** The methods of an API that clients come for, and those with their own limit. Complete it before `throttleApis`. */
export class ThrottledMethods {
  readonly #methods: ThrottledMethod[] = [];

  add(path: string, method: string, part: Part | Throttle = method === 'HEAD' ? 'minor' : 'main'): void {
    this.#methods.push({ path, method, part });
  }

  /** A path that many requests reach by mistake. */
  addCatchAll(path: string): void {
    for (const method of GATEWAY_METHODS) this.#methods.push({ path, method, part: 'minor' });
  }

  /** Includes OPTIONS of every path that clients come for. */
  all(): readonly ThrottledMethod[] {
    const paths = new Set(this.#methods.filter(({ part }) => part === 'main').map(({ path }) => path));
    const isThere = (path: string) =>
      this.#methods.some(each => each.path === path && each.method === 'OPTIONS');
    const options = [...paths]
      .filter(path => !isThere(path))
      .map(path => ({ path, method: 'OPTIONS', part: 'minor' as const }));
    return [...this.#methods, ...options];
  }
}

interface ThrottledApi {
  readonly api: RestApi;
  readonly methods: ThrottledMethods;
  /** The part of the environment's throttle that it takes. */
  readonly share: number;
}

/** Divides the throttle of an environment. Call it after the last method of the APIs. */
export function throttleApis({ throttle }: Environment, apis: readonly ThrottledApi[]): void {
  for (const { api, methods, share } of apis) {
    const own = methods.all();
    const weight = weightOf(api, own);
    const parts = ({ ratePerSecond, burst }: Throttle) =>
      divided({ ratePerSecond: ratePerSecond * share, burst: burst * share }, own, weight);
    const limits = throttle ? parts(throttle) : partsByRegion(api, parts);
    const stage = api.deploymentStage.node.defaultChild as CfnStage;
    const [common] = stage.methodSettings as [CfnStage.MethodSettingProperty];
    const setting = ({ ratePerSecond, burst }: Throttle, place: object): CfnStage.MethodSettingProperty => ({
      ...common,
      ...place,
      throttlingRateLimit: ratePerSecond,
      throttlingBurstLimit: burst,
    });
    stage.methodSettings = [
      setting(limits.other, {}),
      ...own.map(({ path, method: httpMethod, part }) =>
        setting(typeof part === 'string' ? limits[part] : part, {
          // Repeats the settings of all methods: API Gateway doesn't document whether they're inherited. The root is a
          // slash alone.
          resourcePath: path === '/' ? '/' : `/${path.replaceAll('/', '~1')}`,
          httpMethod,
        }),
      ),
    ];
  }
}

/** The total weight of an API's methods. */
function weightOf(api: RestApi, own: readonly ThrottledMethod[]): number {
  const methods = api.node.findAll().filter(construct => construct instanceof Method);
  const paths = new Set(methods.map(({ resource }) => (resource as Resource).path));
  const others = paths.size * GATEWAY_METHODS.length - own.length;
  const weights = own.map(({ part }) => (typeof part === 'string' ? WEIGHTS[part] : 0));
  return sum([...weights, others * WEIGHTS.other]);
}

/** The parts of an API's share, minus what its methods with their own limit take. */
function divided(whole: Throttle, own: readonly ThrottledMethod[], weight: number): Record<Part, Throttle> {
  const left = (limit: keyof Throttle) =>
    whole[limit] - sum(own.map(({ part }) => (typeof part === 'string' ? 0 : part[limit])));
  const limitOf = (part: Part, limit: keyof Throttle) =>
    Math.max(LEAST[limit], Math.floor((left(limit) * WEIGHTS[part]) / weight));
  const throttleOfPart = (part: Part): Throttle => ({
    ratePerSecond: limitOf(part, 'ratePerSecond'),
    burst: limitOf(part, 'burst'),
  });
  return { main: throttleOfPart('main'), minor: throttleOfPart('minor'), other: throttleOfPart('other') };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The default parts if only CloudFormation knows the region. A region that isn't listed needs the setting. */
function partsByRegion(
  api: RestApi,
  parts: (whole: Throttle) => Record<Part, Throttle>,
): Record<Part, Throttle> {
  const rows = REGIONS.map(region => {
    const { main, minor, other } = parts(throttleOf(region));
    const columns = Object.entries({ main, minor, other }).flatMap(([part, { ratePerSecond, burst }]) => [
      [`${part}Rate`, String(ratePerSecond)],
      [`${part}Burst`, String(burst)],
    ]);
    return [region, Object.fromEntries(columns)];
  });
  const mapping = new CfnMapping(api, 'ThrottleByRegion', { mapping: Object.fromEntries(rows) });
  const found = (key: string) => Token.asNumber(mapping.findInMap(Aws.REGION, key));
  const limit = (part: Part) => ({ ratePerSecond: found(`${part}Rate`), burst: found(`${part}Burst`) });
  return { main: limit('main'), minor: limit('minor'), other: limit('other') };
}
