import type { KeyKind } from './condition-operators.ts';

interface ConditionKey {
  readonly kind: KeyKind;
  /** Whether a request can have several values. A condition must then say whether all or any of them count. */
  readonly hasSeveralValues: boolean;
}

const TEXT: ConditionKey = { kind: 'string', hasSeveralValues: false };
const TEXTS: ConditionKey = { kind: 'string', hasSeveralValues: true };

/** The condition keys that requests are given a value of, in lower case: IAM ignores the case of keys. */
const KEYS: Readonly<Record<string, ConditionKey>> = {
  'acm:domainnames': TEXTS,
  'acm:validationmethod': TEXT,
  'aws:currenttime': { kind: 'date', hasSeveralValues: false },
  'aws:securetransport': { kind: 'bool', hasSeveralValues: false },
  'aws:sourceaccount': TEXT,
  'aws:sourcearn': { kind: 'arn', hasSeveralValues: false },
  'aws:tagkeys': TEXTS,
  'events:detail-type': TEXTS,
  'events:source': TEXTS,
  'iam:awsservicename': TEXT,
  'route53:changeresourcerecordsetsactions': TEXTS,
  'route53:changeresourcerecordsetsnormalizedrecordnames': TEXTS,
  'route53:changeresourcerecordsetsrecordtypes': TEXTS,
};

const TAG_KEY = /^aws:(resource|request)tag\/./;

/** What is known of a condition key; undefined for one that the local runtime does not support. */
export function conditionKey(name: string): ConditionKey | undefined {
  const lowered = name.toLowerCase();
  return TAG_KEY.test(lowered) ? TEXT : KEYS[lowered];
}
