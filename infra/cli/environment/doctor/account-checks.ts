import type { DoctorCheck } from './examination.ts';
import { failure, ok } from './finding.ts';

/** Where an environment is deployed, and who asks. */
export const ACCOUNT_CHECKS: readonly DoctorCheck[] = [
  {
    subject: 'credentials',
    on: 'AWS',
    permissions: [],
    async run({ caller, session, settings }) {
      if (caller === undefined) {
        return failure(
          'AWS does not say whose credentials these are.',
          'Try: aws sts get-caller-identity. Are you online, and are the credentials valid?',
        );
      }
      const { account: pinned } = settings;
      return pinned === undefined || pinned === caller.account
        ? ok(`${caller.arn}, account ${caller.account}`)
        : failure(
            `These are credentials of the account ${caller.account}; the settings pin ${session.target.stage} to ${pinned}.`,
            'Add --profile <name>, or set AWS_PROFILE, with credentials of that account.',
          );
    },
  },
  {
    subject: 'region',
    on: 'AWS',
    permissions: [],
    async run({ region, session, settings }) {
      const { region: pinned } = settings;
      return pinned === undefined || pinned === region
        ? ok(region)
        : failure(
            `This is ${region}; the settings pin ${session.target.stage} to ${pinned}.`,
            `Add --region ${pinned}.`,
          );
    },
  },
];
