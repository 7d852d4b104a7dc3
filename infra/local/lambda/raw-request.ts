/** A request to DynamoDB as it is on the wire. */
export interface RawRequest {
  readonly bytes: Buffer;
  /** Undefined if the request is not signed for DynamoDB. */
  readonly accessKeyId: string | undefined;
  /** Such as GetItem; it is named in a header: DynamoDB_20120810.GetItem. */
  readonly operation: string;
  readonly body: string;
  readonly bodyBytes: number;
}

const HEAD_END = '\r\n\r\n';
const CREDENTIAL = /^authorization:.*Credential=([^/,\s]+)\/\d+\/[^/]*\/dynamodb\/aws4_request/im;

/** The first request of what was written; undefined until it is whole, or an error if its end cannot be found. */
export function readRequest(written: Buffer): RawRequest | Error | undefined {
  const headLength = written.indexOf(HEAD_END);
  if (headLength < 0) return undefined;
  const head = written.toString('latin1', 0, headLength);
  if (/^transfer-encoding:/im.test(head)) {
    return new Error('DynamoDB is called with Content-Length, not with Transfer-Encoding.');
  }
  const bodyStart = headLength + HEAD_END.length;
  const end = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (written.length < end) return undefined;
  return {
    bytes: written.subarray(0, end),
    accessKeyId: CREDENTIAL.exec(head)?.[1],
    operation: /^x-amz-target: *\w+\.(\w+)/im.exec(head)?.[1] ?? '',
    body: written.toString('utf8', bodyStart, end),
    bodyBytes: end - bodyStart,
  };
}
