import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { listDomainNames, listTaggedCertificates, type TaggedResource } from './account-inventory.ts';
import type { DoctorCheck, Examination } from './examination.ts';
import { countOf, type Finding, listOf, ok, skipped, warning } from './finding.ts';

/** A certificate is requested after its claim is recorded; this is more than clocks differ. */
const RECENT_MS = 15 * 60_000;

/** What this environment has created for custom domains, and has no record of. */
export const ORPHAN_CHECKS: readonly DoctorCheck[] = [
  {
    subject: 'certificates',
    on: 'AWS and this machine',
    permissions: ['acm:ListCertificates', 'acm:ListTagsForCertificate'],
    async run(examination) {
      return verdict(
        examination,
        'certificate',
        await listTaggedCertificates(examination.clientOptions),
        'aws acm delete-certificate --certificate-arn',
      );
    },
  },
  {
    subject: 'domain names',
    on: 'AWS and this machine',
    permissions: ['apigateway:GET'],
    async run(examination) {
      return verdict(
        examination,
        'domain name',
        await listDomainNames(examination.clientOptions),
        'aws apigateway delete-domain-name --domain-name',
      );
    },
  },
];

function verdict(
  { session, state }: Examination,
  noun: string,
  resources: readonly TaggedResource[],
  deletion: string,
): Finding {
  if (state === undefined) return skipped('the operator function is too old to say which have a record');
  const { stage } = session.target;
  const own = resources.filter(({ tags }) => tags[ENVIRONMENT_TAG] === stage);
  const orphans = own.filter(
    ({ tags, createdAt }) =>
      !state.claims.includes(tags[CLAIM_TAG] ?? '') &&
      (createdAt === undefined || Date.now() - createdAt.getTime() > RECENT_MS),
  );
  if (orphans.length === 0) return ok(`${countOf(own.length, noun)} of ${stage}, each with a record`);
  const ids = orphans.map(({ id }) => id);
  return warning(
    `${countOf(orphans.length, noun)} of ${stage} without a record: ${listOf(ids)}.`,
    `Nothing uses ${ids.length === 1 ? 'it' : 'them'}, unless the tables were restored to an earlier time. Delete with: ${deletion} <${noun === 'certificate' ? 'ARN' : 'name'}>`,
  );
}
