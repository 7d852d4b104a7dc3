/** DynamoDB's limit for a request. */
export const REQUEST_LIMIT_BYTES = 16 * 1024 * 1024;
