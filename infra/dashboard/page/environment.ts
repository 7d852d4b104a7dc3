import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { EnvironmentDetails } from '../server/protocol.ts';
import { environmentDetails } from './api.ts';
import { interruption } from './notices.ts';
import { useObservable } from './observable.ts';

export interface Environment {
  readonly stage: string;
  readonly isLocal: boolean;
  readonly details: EnvironmentDetails | undefined;
}

export const EnvironmentContext = createContext<Environment>({
  stage: '',
  isLocal: false,
  details: undefined,
});

export function useEnvironment(): Environment {
  return useContext(EnvironmentContext);
}

/** Account and region of an environment, read again when an interruption is over. */
export function useDetails(stage: string): EnvironmentDetails | undefined {
  const [details, setDetails] = useState<{ stage: string; value: EnvironmentDetails }>();
  const isInterrupted = useObservable(interruption) !== undefined;
  useEffect(() => {
    if (isInterrupted) return;
    environmentDetails(stage).then(response => {
      if (response.ok) setDetails({ stage, value: response.result });
    });
  }, [stage, isInterrupted]);
  return details?.stage === stage ? details.value : undefined;
}
