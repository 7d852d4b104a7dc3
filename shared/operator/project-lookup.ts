import type { Project } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { CommandError } from './command.ts';

/** How commands find the project that their input names. */
export function projectLookup(projects: Pick<ProjectStore, 'find'>) {
  return {
    /** The project; throws not_found. */
    async requireProject(id: string): Promise<Project> {
      const project = await projects.find(id);
      if (project) return project;
      throw new CommandError('not_found', `There is no project ${id}.`, { reason: 'project_unknown' });
    },
  };
}
