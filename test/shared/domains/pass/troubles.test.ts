import { expect, test } from 'vitest';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import { FrontFull, FrontRefused, FrontTaken } from '../../../../shared/domains/front.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import * as troubles from '../../../../shared/domains/pass/troubles.ts';
import type { Reached, Unreached } from '../../../../shared/domains/reach.ts';
import { certified, claimed, live, NAME, TARGET } from '../claimed-domain.ts';
import { recordSeen } from './walk-world.ts';

const LIVE = live();
const CLAIM = claimed({ status: 'verifying', certificate: certified({ status: 'PENDING_VALIDATION' }) });

type States = Partial<Record<string, Parameters<typeof recordSeen>[1]>>;

/** A claim whose records are right, but for these. */
const seenWith = (states: States, claim = CLAIM): Domain => ({
  ...claim,
  records: requiredRecords(claim).map(record => {
    const seen = recordSeen(record, states[record.purpose] ?? 'ok');
    return { ...seen, observed: [...seen.observed] };
  }),
});

const visitors = (kind: Unreached['kind'], more: Partial<Unreached> = {}, claim = LIVE) =>
  troubles.reachTrouble(claim, { kind, why: 'Why.', ...more }, { isNew: false });
const elsewhere = (visited?: Reached) =>
  troubles.liveTroubles(seenWith({ traffic: 'mismatch' }, LIVE), visited)[0];
const keeping = (states: States) =>
  troubles.keepingTroubles(seenWith(states, live({ certificate: certified({ renewal: 'FAILED' }) })))[0];
const certificateTrouble = (states: States, minutes = 31) =>
  troubles.certificateTrouble(seenWith(states), { kind: 'allowed' }, minutes);
const CAA = { at: 'zoo.example', record: '0 issue "letsencrypt.org"', lacksAmazon: true };

/** What a domain says, by what is wrong. */
const SAID: readonly (readonly [ReturnType<typeof visitors>, says: string])[] = [
  [
    troubles.attachmentRefused(NAME, new FrontRefused('Not known.')),
    `attachment_refused: API Gateway rejects ${NAME}: Not known.`,
  ],
  [
    troubles.attachmentRefused(NAME, new FrontTaken('Taken.')),
    `attachment_refused: Another AWS account has ${NAME} at API Gateway in this region. An operator has to get it deleted ` +
      "there, or ask AWS Support if the account can't be found.",
  ],
  [
    troubles.attachmentRefused(NAME, new FrontFull('Full.')),
    'attachment_refused: This AWS account has reached its limit of custom domain names at API Gateway. An operator has to ' +
      'raise the quota "Custom domain names" (L-A93447B8) in Service Quotas, or remove domains that are no longer used.',
  ],
  [
    troubles.apiGone('zoo'),
    "api_gone: Project zoo's API or stage is gone from API Gateway. Redeploy it, or move the domain to another project.",
  ],
  [
    troubles.beingReleased(CLAIM),
    `domain_name_being_released: ${NAME} is now in this project. It goes live here once its former project has released ` +
      'it, usually within minutes.',
  ],
  [
    troubles.mappingChanged(LIVE, null),
    `mapping_changed: ${NAME} is no longer mapped to its API. We'll try again within half an hour; re-verify to try now.`,
  ],
  [
    troubles.mappingChanged(LIVE, { apiId: 'b', stage: 'c' }),
    `mapping_changed: ${NAME} is mapped to another API or stage (b/c). We'll try again within half an hour; re-verify to try now.`,
  ],
  [
    troubles.certificateLoss(live({ certificate: certified({ status: 'EXPIRED' }) })),
    `certificate_lost: The certificate of ${NAME} has expired. Re-verify to request a new one.`,
  ],
  [
    troubles.certificateLoss(live({ certificate: certified({ status: null }) })),
    `certificate_lost: The certificate of ${NAME} is gone. Re-verify to request a new one.`,
  ],
  [
    certificateTrouble({}),
    'certificate_delayed: The certificate is taking longer than usual, although all records are right. Re-verify to try again.',
  ],
  [
    certificateTrouble({ certificate: 'missing' }, 0),
    'certificate_record_missing: The certificate is waiting for a record. missing.',
  ],
  [
    troubles.caaTrouble(CLAIM, { kind: 'blocked', block: CAA }),
    'caa_blocked: Amazon isn\'t allowed to issue certificates: zoo.example has the CAA record 0 issue "letsencrypt.org". ' +
      'Add CAA: name @, value 0 issue "amazon.com".',
  ],
  [
    troubles.caaTrouble(CLAIM, { kind: 'unknown', at: 'zoo.example' }, { saysFailure: true }),
    "caa_unreachable: Amazon can't issue the certificate until the CAA records of zoo.example can be looked up. Ask your " +
      'DNS provider why its servers fail for CAA queries.',
  ],
  [
    troubles.recordTrouble({ purpose: 'traffic', state: 'spreading', action: null }),
    'traffic_record_spreading: The records are right at your DNS provider, but not visible everywhere yet. This usually ' +
      'takes minutes, and at most 48 hours.',
  ],
  [
    troubles.verificationTrouble({ reason: 'traffic_record_mismatch', message: 'Change it.' }),
    'traffic_record_mismatch: Verification is failing. Change it.',
  ],
  [
    troubles.verificationTrouble({ reason: 'traffic_record_missing', message: 'Create it.' }),
    'traffic_record_missing: Create it.',
  ],
  [elsewhere(), `traffic_record_mismatch: ${NAME} no longer points here. mismatch.`],
  [
    elsewhere({ kind: 'answer_foreign', why: 'Why.', at: '8.8.9.9', isPartial: true }),
    `traffic_record_mismatch: Some visitors of ${NAME}, those sent to 8.8.9.9, don't arrive here. mismatch.`,
  ],
  [
    keeping({}),
    `renewal_action_required: The certificate of ${NAME} can't be renewed. Check that its DNS records are all there, and ` +
      'that no CAA record blocks Amazon.',
  ],
  [
    keeping({ certificate: 'missing' }),
    `renewal_action_required: The certificate of ${NAME} can't be renewed. missing.`,
  ],
  [visitors('unreachable'), `https_unreachable: https://${NAME} doesn't respond: Why.`],
  [
    troubles.edgeTrouble(LIVE, { kind: 'unreachable', why: 'Why.', at: '8.8.9.9' }),
    `https_unreachable: API Gateway, asked for ${NAME}, doesn't respond at 8.8.9.9: Why. A new domain can take a few minutes.`,
  ],
  [
    visitors('certificate_wrong'),
    `https_certificate_wrong: https://${NAME} serves the wrong certificate: Why. A proxy or another server may be responding.`,
  ],
  [visitors('answer_foreign'), `https_answer_foreign: https://${NAME} doesn't lead to the API: Why.`],
  [
    visitors('answer_foreign', {}, seenWith({ traffic: 'proxied' }, live({ isProxied: true }))),
    `https_answer_foreign: The proxy of ${NAME} doesn't lead to the API: Why.`,
  ],
  [
    visitors('answer_foreign', { isPartial: true }),
    `https_answer_foreign: Some visitors of ${NAME} don't arrive here. https://${NAME} doesn't lead to the API: Why.`,
  ],
  [
    visitors('unconfirmed', { at: '2600:1f18::7', isPartial: true }),
    `https_unconfirmed: https://${NAME} can't be checked at 2600:1f18::7: Why. If ${TARGET} doesn't have it, delete its ` +
      'AAAA record.',
  ],
  [
    visitors('unresolved'),
    `traffic_record_unreachable: ${NAME} can't be looked up. Why. This usually passes. If it persists, ask your DNS provider.`,
  ],
  [
    visitors('unresolved', {}, seenWith({ traffic: 'unreachable' }, LIVE)),
    `traffic_record_unreachable: ${NAME} can't be looked up. unreachable.`,
  ],
  [
    visitors('unproven', { at: '104.16.0.1' }),
    `https_certificate_wrong: https://${NAME} serves the wrong certificate at 104.16.0.1: Why. Another server is ` +
      `responding, or a proxy that doesn't pass requests on. Yours has to send them to ${TARGET} over HTTPS, with the ` +
      'host, path and query unchanged, and without a cache or a bot check.',
  ],
];

test.each(SAID)('%#: what a domain says', (trouble, says) => {
  expect(`${trouble?.reason}: ${trouble?.message}`).toBe(says);
});

test('a proxy that hides the record shows what that has to do, and nothing else does', () => {
  const hidden = seenWith({ traffic: 'proxied' });
  const shown = troubles.withProxyAdvice(hidden, { kind: 'unproven', why: 'Why.' }).records[0];
  expect(shown?.action).toMatch(/^https:\/\/www\.zoo\.example serves the wrong certificate: Why\. /);
  expect(troubles.withProxyAdvice(hidden, { kind: 'unreachable', why: 'Why.' })).toBe(hidden);
});
