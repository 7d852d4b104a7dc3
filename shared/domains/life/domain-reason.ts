/** What a domain's records are for: sending visitors here, proving the claim, issuing and renewing the certificate. */
export const RECORD_TITLES = {
  traffic: 'Traffic',
  ownership: 'Ownership',
  certificate: 'Certificate',
} as const;
/** The same for whoever creates it. */
export const RECORD_USES = {
  traffic: 'Sends visitors here',
  ownership: 'Proves the domain is yours',
  certificate: 'For the certificate and its renewals',
} as const;
type RecordPurpose = keyof typeof RECORD_TITLES;

/** What is true of a reason. Commands and the dashboard ask for a fact, never for a reason by name. */
type ReasonFacts = Subject & {
  /** A short heading. The message beside the reason says the rest, with the domain's values. */
  readonly title: string;
  /** Who has to act; null if time does it. `owner`: in DNS, or by verifying again; `operator`: at AWS or in the project. */
  readonly needs: 'owner' | 'operator' | 'service' | null;
  /** Whether operators are told to look, because neither DNS, the project nor waiting can fix it. */
  readonly tellsOperators: boolean;
  /** Whether it keeps a live domain's visitors from arriving here and being served. */
  readonly hidesDomain: boolean;
  /**
   * What the page for whoever runs the DNS says (setup/owner-view.ts): there's something to do, it's being looked at, or it's ours
   * to mend; null if that's nothing to them.
   */
  readonly onPage: 'to do' | 'looking' | 'ours' | null;
};

/** What a reason is about: a required record and its state, or something else. */
type Subject =
  | { readonly about: RecordPurpose; readonly state: keyof typeof RECORD_FAULTS }
  | {
      readonly about: 'issuance' | 'caa' | 'renewal' | 'claim' | 'project' | 'front' | 'visitors' | 'flow';
      readonly state?: undefined;
    };

/** What can be wrong with a record. All records share their name servers. */
const RECORD_FAULTS = {
  missing: { needs: 'owner', onPage: 'to do', title: (record: string) => `${record} record missing` },
  mismatch: {
    needs: 'owner',
    onPage: 'to do',
    title: (record: string) => `${record} record has a different value`,
  },
  conflict: {
    needs: 'owner',
    onPage: 'to do',
    title: (record: string) => `${record} record blocked by another record`,
  },
  unreachable: { needs: null, onPage: 'looking', title: () => "The name servers don't answer" },
  spreading: { needs: null, onPage: 'looking', title: () => 'The DNS records are propagating' },
} as const;

/** The owner can do something about it, and a live domain's visitors are still served. */
const BY_OWNER = { needs: 'owner', tellsOperators: false, hidesDomain: false, onPage: 'to do' } as const;
/** Only somebody with access to the AWS account can, and visitors may be gone. */
const AT_AWS = {
  about: 'front',
  needs: 'operator',
  tellsOperators: true,
  hidesDomain: true,
  onPage: 'ours',
} as const;
const IN_PROJECT = { ...AT_AWS, about: 'project', tellsOperators: false } as const;
const CERTIFICATE = { ...BY_OWNER, about: 'issuance', hidesDomain: true, onPage: 'ours' } as const;
/** Nobody has to act: it passes by itself. */
const PASSING = { needs: null, tellsOperators: false, hidesDomain: true, onPage: 'ours' } as const;
const VISITORS = { ...BY_OWNER, about: 'visitors', hidesDomain: true } as const;

/**
 * Why a domain isn't live, or needs attention although it is, and what is true of each reason. To add one, see "Add a reason of
 * a domain" in CONTRIBUTING.
 */
export const REASONS = {
  ...recordReasons('traffic'),
  ...recordReasons('ownership'),
  ...recordReasons('certificate'),

  domain_taken: {
    ...BY_OWNER,
    about: 'claim',
    hidesDomain: true,
    onPage: 'ours',
    title: 'In use by another project',
  },
  /** Another project owns the name, DNS no longer supports it, and this project is about to take the name over. */
  takeover_pending: { ...PASSING, about: 'claim', title: 'Taking over from another project' },
  /** Another project has proven the name, and is about to take it over: the records of this project are gone. */
  takeover_announced: { ...BY_OWNER, about: 'claim', title: 'Another project is taking it over' },
  /** The domain was ready for 30 days, and its traffic was not switched. */
  not_switched: { ...VISITORS, title: 'Not switched in time' },
  project_gone: { ...IN_PROJECT, title: 'Its project is gone' },
  plan_required: { ...IN_PROJECT, title: "The plan doesn't include custom domains" },
  deploy_required: { ...IN_PROJECT, title: 'No successful deploy yet' },

  caa_blocked: { ...BY_OWNER, about: 'caa', title: 'A CAA record blocks the certificate' },
  /** The CAA records cannot be looked up, and no certificate is issued until they can. */
  caa_unreachable: { ...BY_OWNER, about: 'caa', title: "CAA records can't be looked up" },
  /** The certificate takes longer than 30 minutes even though every record is right. */
  certificate_delayed: { ...CERTIFICATE, title: 'The certificate is delayed' },
  /** ACM takes no requests: the account's quota is used up. */
  certificate_refused: { ...AT_AWS, about: 'issuance', title: 'The quota for certificates is used up' },
  certificate_failed: { ...CERTIFICATE, title: 'AWS refused the certificate' },
  /** The certificate of a domain that was live has expired, was revoked or is gone. */
  certificate_lost: { ...CERTIFICATE, title: 'The certificate is gone or has expired' },
  renewal_action_required: { ...BY_OWNER, about: 'renewal', title: "The certificate can't be renewed" },
  /** The certificate of a domain that is being removed is still in use. */
  certificate_in_use: { ...AT_AWS, about: 'issuance', title: "The certificate can't be deleted yet" },

  api_gone: { ...AT_AWS, about: 'project', title: "The project's API is gone" },
  /** The domain name at API Gateway still belongs to the former owner and is being taken down. */
  domain_name_being_released: {
    ...PASSING,
    about: 'front',
    needs: 'service',
    title: 'Waiting for its former project',
  },
  attachment_refused: { ...AT_AWS, title: 'API Gateway refused the domain' },
  /** API Gateway was too busy to change the domain name for as long as the flow waits. */
  gateway_busy: { ...AT_AWS, title: 'API Gateway was too busy' },
  domain_name_foreign: { ...AT_AWS, title: 'Another team in the account has the name' },
  domain_name_gone: { ...AT_AWS, title: 'Deleted at API Gateway' },
  domain_name_recertified: { ...AT_AWS, title: 'Different certificate at API Gateway' },
  mapping_changed: { ...AT_AWS, title: 'Mapping changed at API Gateway' },
  host_record_changed: { ...AT_AWS, title: "Wrong record in the platform's zone" },

  /** No HTTPS request reaches the domain. A new domain's certificate and address take minutes to reach every host. */
  https_unreachable: { ...VISITORS, needs: null, onPage: 'looking', title: "HTTPS doesn't respond yet" },
  /** No request shows whether one of the domain's addresses is right. */
  https_unconfirmed: {
    ...VISITORS,
    needs: null,
    hidesDomain: false,
    onPage: null,
    title: "An IP address can't be checked",
  },
  https_certificate_wrong: { ...VISITORS, title: 'Another certificate is served' },
  https_answer_foreign: { ...VISITORS, title: 'Another server responds' },

  /** Its redirect leads to a live domain whose visitors end up elsewhere. It serves its project until they arrive. */
  redirect_suspended: { ...VISITORS, hidesDomain: false, onPage: null, title: 'Its redirect is suspended' },

  /** Passes kept failing, or executions kept ending before one was done, through no fault of the owner. */
  internal_error: { ...AT_AWS, about: 'flow', title: 'Something failed on our side' },
} as const satisfies Record<string, ReasonFacts>;

export type DomainReason = keyof typeof REASONS;
export const DOMAIN_REASONS = Object.keys(REASONS) as DomainReason[];

type RecordReasons<Purpose extends RecordPurpose> = Record<
  `${Purpose}_record_${keyof typeof RECORD_FAULTS}`,
  ReasonFacts
>;

/** The reasons for a required record. Only the traffic record's affect visitors. */
function recordReasons<const Purpose extends RecordPurpose>(purpose: Purpose): RecordReasons<Purpose> {
  const rows = Object.entries(RECORD_FAULTS).map(([state, { needs, onPage, title }]) => [
    `${purpose}_record_${state}`,
    {
      title: title(RECORD_TITLES[purpose]),
      about: purpose,
      state,
      needs,
      onPage,
      tellsOperators: false,
      hidesDomain: purpose === 'traffic',
    },
  ]);
  return Object.fromEntries(rows);
}

/** What is true of a reason in a report, which may come from a later version of the service. */
export function factsOfReason(reason: DomainReason): ReasonFacts {
  const known: Partial<Record<string, ReasonFacts>> = REASONS;
  return known[reason] ?? { ...PASSING, about: 'flow', title: reason.replaceAll('_', ' ') };
}

/** Whether somebody has to act on a reason, or can just wait. */
export function needsSomebody(reason: DomainReason | null): boolean {
  const needs = reason && factsOfReason(reason).needs;
  return needs === 'owner' || needs === 'operator';
}

/** Whether a reason lasts until requests show otherwise. Every pass looks at all others anew. */
export function isOfVisitors(reason: DomainReason): boolean {
  return ['traffic', 'visitors', 'claim', 'flow'].includes(factsOfReason(reason).about);
}

/** Whether the visitors of a live domain arrive here and are served, by its last check. */
export function hasVisitors({ reason }: { readonly reason: DomainReason | null }): boolean {
  return reason === null || !factsOfReason(reason).hidesDomain;
}
