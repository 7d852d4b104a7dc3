/**
 * Why a domain is not live, or needs attention although it is: for programs. The message beside the reason says the same to
 * people, with the values of the domain. ../guide.md lists every reason with what to do; a test compares the two.
 */
export const DOMAIN_REASONS = [
  // A required record (traffic: points here; ownership: proves the claim; certificate: validates it) is not as it should be.
  ...recordReasons('traffic'),
  ...recordReasons('ownership'),
  ...recordReasons('certificate'),

  /** Another project has proven the name. */
  'domain_taken',
  /** Another project owns the name, DNS no longer supports it, and this project is about to take the name over. */
  'takeover_pending',
  /** Another project has proven the name, and is about to take it over: the records of this project are gone. */
  'takeover_announced',
  /** The domain was ready for 30 days, and its traffic was not switched. */
  'not_switched',
  /** The project of the domain is gone. */
  'project_gone',
  /** The project is on the plan free. */
  'plan_required',
  /** The project has no successful deploy. */
  'deploy_required',

  /** A CAA record forbids Amazon to issue the certificate. */
  'caa_blocked',
  /** The CAA records cannot be looked up, and no certificate is issued until they can. */
  'caa_unreachable',
  /** The certificate takes longer than 30 minutes although every record is right. */
  'certificate_delayed',
  /** ACM did not issue the certificate. */
  'certificate_failed',
  /** ACM did not issue the certificate within its 72 hours. */
  'certificate_timeout',
  /** The certificate of a domain that was live has expired, was revoked or is gone. */
  'certificate_lost',
  /** ACM cannot renew the certificate. */
  'renewal_action_required',
  /** The certificate of a domain that is being removed is still in use. */
  'certificate_in_use',

  /** The API or the stage of the project does not exist. */
  'api_gone',
  /** The domain name at API Gateway is still the former owner's, from whom it is being taken down. */
  'domain_name_being_released',
  /** API Gateway rejects the domain name. */
  'attachment_refused',
  /** API Gateway was too busy to take a change of the domain name for as long as the flow waits. */
  'gateway_busy',
  /** The domain name at API Gateway belongs to another environment or team of the account. */
  'domain_name_foreign',
  /** The domain name is gone at API Gateway. */
  'domain_name_gone',
  /** The domain name has another certificate at API Gateway. */
  'domain_name_recertified',
  /** The domain is not mapped at API Gateway, or to another API. */
  'mapping_changed',
  /** The platform's host of the domain points elsewhere. */
  'host_record_changed',

  /** No HTTPS request reaches the domain. */
  'https_unreachable',
  /** The domain serves a certificate that is not its own. */
  'https_certificate_wrong',
  /** Somebody else's server responds for the domain. */
  'https_answer_foreign',

  /** A step kept failing for a reason that is not the owner's. */
  'internal_error',
] as const;
export type DomainReason = (typeof DOMAIN_REASONS)[number];

/** Troubles of a live domain that its visitors don't notice: they arrive here, and are served. */
const UNNOTICED: ReadonlySet<DomainReason | null> = new Set<DomainReason | null>([
  null,
  ...recordReasons('ownership'),
  ...recordReasons('certificate'),
  'takeover_announced',
  'caa_blocked',
  'caa_unreachable',
  'renewal_action_required',
]);

/** Whether the visitors of a live domain arrive here and are served, by its last check. */
export function hasVisitors({
  reason,
  takeover,
}: {
  readonly reason: DomainReason | null;
  readonly takeover?: { readonly reason: DomainReason | null } | undefined;
}): boolean {
  // The announcement of a takeover covers the reason from before.
  return UNNOTICED.has(reason === 'takeover_announced' && takeover ? takeover.reason : reason);
}

function recordReasons<const Purpose extends 'traffic' | 'ownership' | 'certificate'>(purpose: Purpose) {
  return [
    `${purpose}_record_missing`,
    `${purpose}_record_mismatch`,
    `${purpose}_record_conflict`,
    `${purpose}_record_unreachable`,
    `${purpose}_record_spreading`,
  ] as const;
}
