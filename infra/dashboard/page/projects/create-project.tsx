import { useState } from 'preact/hooks';
import type { Plan } from '../../../../shared/operator/contract.ts';
import { PLANS } from '../../../../shared/projects/project-choices.ts';
import { announce } from '../announcements.tsx';
import { FormDialog } from '../dialog.tsx';
import { useEnvironment } from '../environment.tsx';
import { useChange } from '../hooks.ts';
import { navigate } from '../location.ts';
import { pathOf } from '../routes.ts';

export function CreateProject({ onClose }: { onClose: () => void }) {
  const { stage } = useEnvironment();
  const { send, isSending, error } = useChange(stage, 'projects.create');
  const [id, setId] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  const create = async () => {
    const project = await send({ id: id.trim(), plan });
    if (!project) return;
    announce(`Created the project ${project.id}.`);
    onClose();
    navigate(pathOf({ page: 'project', stage, project: project.id }));
  };
  return (
    <FormDialog
      title="New project"
      action="Create project"
      isSending={isSending}
      error={error}
      onClose={onClose}
      onSubmit={create}
    >
      <label class="field">
        Id
        <input
          required
          value={id}
          onInput={event => setId(event.currentTarget.value)}
          placeholder="shop"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <small>a–z, 0–9 and hyphens. It is published at the API of this service.</small>
      </label>
      <PlanField plan={plan} onChange={setPlan} />
    </FormDialog>
  );
}

export function PlanField({ plan, onChange }: { plan: Plan; onChange: (plan: Plan) => void }) {
  return (
    <label class="field">
      Plan
      <select value={plan} onChange={event => onChange(event.currentTarget.value as Plan)}>
        {PLANS.map(each => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <small>Custom domains need pro or above.</small>
    </label>
  );
}
