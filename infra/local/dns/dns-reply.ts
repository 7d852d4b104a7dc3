import type { Answer } from 'dns-packet';

export interface Question {
  readonly name: string;
  readonly type: string;
}

/** The reply of a name server or a resolver to a question. */
export interface Reply {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED';
  /** Whether it comes from a server of the zone itself. A referral and an answer of a resolver do not. */
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
  /** The SOA record of the zone when the name or the record does not exist; the NS records of a referral. */
  readonly authorities: readonly Answer[];
  /** The addresses of the name servers of a referral, as far as the zone itself has them. */
  readonly additionals: readonly Answer[];
}

/** A reply without records. */
export function emptyReply(code: Reply['code'], isAuthoritative = false): Reply {
  return { code, isAuthoritative, answers: [], authorities: [], additionals: [] };
}
