import { APIGatewayClient } from '@aws-sdk/client-api-gateway';

/** API Gateway allows an account a few changes of keys per second; six attempts outlast a burst of them. */
const ATTEMPTS = 6;

export const gatewayClient = () => new APIGatewayClient({ maxAttempts: ATTEMPTS });
