import { expect, test } from 'vitest';
import { ErrorSchema } from '../../../infra/openapi/responses.ts';
import { type ErrorCode, errorBody, STATUS_BY_CODE } from '../../../shared/errors.ts';

test.each(Object.keys(STATUS_BY_CODE) as ErrorCode[])('the Error schema accepts the body of %s', code => {
  const body = errorBody(code, 'Because.');
  expect(ErrorSchema.parse(body)).toEqual(body);
});
