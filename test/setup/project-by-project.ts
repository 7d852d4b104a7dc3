import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest first; the short files of the last project keep every worker busy to the end. */
const PROJECTS = ['service', 'simulation', 'isolated', 'unit'];

/**
 * Runs the files of one project after those of another. A worker process ends as soon as the next file in the queue
 * belongs to another project, so mixing the projects would cost a start of a process for nearly every file.
 */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (left, right) => PROJECTS.indexOf(left.project.name) - PROJECTS.indexOf(right.project.name),
    );
  }
}
