import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { controlPlaneRetries } from '../aws/control-plane-retries.ts';

export const gatewayClient = () => new APIGatewayClient(controlPlaneRetries());
