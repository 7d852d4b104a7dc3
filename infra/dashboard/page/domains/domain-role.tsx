import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { roleOf } from '../derived.ts';

export function DomainRole({ report }: { report: DomainReport }) {
  const role = roleOf(report);
  switch (role.kind) {
    case 'primary':
      return <span class="chip chip-strong">Primary</span>;
    case 'redirect':
      return (
        <span class="chip">
          Redirects to {role.to} ({role.status})
        </span>
      );
    case 'serves':
      return <span class="chip">Also serves</span>;
    case 'none':
      return null;
  }
}
