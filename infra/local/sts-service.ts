import { NOT_SUPPORTED, notSupported } from './aws-api/aws-api-error.ts';
import { sendXmlError } from './aws-api/http-messages.ts';
import type { AwsService } from './aws-api/service-api.ts';
import { targetOf } from './aws-api/signature.ts';
import { ACCOUNT_ID } from './cloudformation/pseudo-parameters.ts';

/** STS's GetCallerIdentity, as a signed or a presigned request. */
export const stsService: AwsService = async ({ request, body, response, callerArn, requestId }) => {
  const parameters =
    request.method === 'GET' ? targetOf(request).parameters : new URLSearchParams(body.toString());
  const action = parameters.get('Action');
  if (action !== 'GetCallerIdentity' || parameters.get('Version') !== '2011-06-15') {
    const error = notSupported(`The action ${action} of the STS API`);
    return sendXmlError(response, NOT_SUPPORTED.status, error, requestId);
  }
  const members = `<Arn>${callerArn}</Arn><UserId>${callerArn.split('/').at(-1)}</UserId><Account>${ACCOUNT_ID}</Account>`;
  const result = `<GetCallerIdentityResult>${members}</GetCallerIdentityResult>`;
  const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
  const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';
  response
    .writeHead(200, { 'content-type': 'text/xml' })
    .end(`<GetCallerIdentityResponse xmlns="${namespace}">${result}${metadata}</GetCallerIdentityResponse>`);
};
