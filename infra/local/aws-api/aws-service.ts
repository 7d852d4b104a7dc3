import { AwsApiError, NOT_SUPPORTED } from './aws-api-error.ts';
import type { Codec } from './codec.ts';
import { type AwsService, performOperation, requireAccepted, type ServiceApi } from './service-api.ts';

/** Serves the operations of a service in the protocol that the SDK has for it, which is loaded at the first call. */
export function awsService(api: ServiceApi): AwsService {
  let loading: Promise<Codec> | undefined;
  return async call => {
    loading ??= import('./codec.ts').then(({ codecOf }) => codecOf(api));
    const codec = await loading;
    try {
      requireAccepted(api, call);
      const operationCall = await codec.read(call);
      const output = await performOperation(api, operationCall, call);
      codec.write(call, operationCall.operation, output as object | undefined);
    } catch (error) {
      if (!(error instanceof AwsApiError)) throw error;
      const ofService = api.statusByError === undefined ? 400 : api.statusByError[error.name];
      const status = error.name === NOT_SUPPORTED.name ? NOT_SUPPORTED.status : ofService;
      if (status === undefined) throw error;
      codec.writeError(call, status, error);
    }
  };
}
