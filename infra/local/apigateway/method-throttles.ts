import { type Throttle, throttle } from '../aws-api/throttle.ts';
import type { Stage } from './resource-properties.ts';

/** The throttle of a method: its own, if the stage has settings for it, else the one that the other methods share. */
export type MethodThrottles = (resourcePath: string, httpMethod: string) => Throttle;

const UNLIMITED: Throttle = () => true;

export function methodThrottles(settings: Stage['MethodSettings'], now: () => number): MethodThrottles {
  const throttles = new Map(
    settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
      `${HttpMethod} ${ResourcePath}`,
      throttle({ ratePerSecond: ThrottlingRateLimit, burst: ThrottlingBurstLimit }, now),
    ]),
  );
  const shared = throttles.get('* /*') ?? UNLIMITED;
  return (resourcePath, httpMethod) => {
    const encoded = `/${resourcePath.replaceAll('/', '~1')}`;
    return throttles.get(`${httpMethod} ${encoded}`) ?? throttles.get(`* ${encoded}`) ?? shared;
  };
}
