import type { DomainReport } from '../../../../shared/operator/contract.ts';

export function DomainRole({ report }: { report: DomainReport }) {
  const { role, redirect } = report;
  switch (role) {
    case 'primary':
      return <span class="chip chip-strong">Primary</span>;
    case 'redirects':
      return (
        <span class="chip">
          Redirects to {redirect?.to} ({redirect?.status})
        </span>
      );
    case 'also_serves':
      return <span class="chip">Also serves</span>;
    case null:
      return null;
  }
}
