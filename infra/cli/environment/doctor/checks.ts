import { ACCOUNT_CHECKS } from './account-checks.ts';
import type { DoctorCheck } from './examination.ts';
import { OPERATOR_CHECKS } from './operator-checks.ts';
import { ORPHAN_CHECKS } from './orphan-checks.ts';
import { QUOTA_CHECKS } from './quota-checks.ts';
import { STACK_CHECKS } from './stack-checks.ts';

/** Everything that the doctor looks at, in the order in which it is printed. */
export const CHECKS: readonly DoctorCheck[] = [
  ...ACCOUNT_CHECKS,
  ...OPERATOR_CHECKS,
  ...STACK_CHECKS,
  ...ORPHAN_CHECKS,
  ...QUOTA_CHECKS,
];
