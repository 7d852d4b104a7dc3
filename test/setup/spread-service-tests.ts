import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A file that uses the service takes about as long as six others. */
const UNIT_FILES_PER_SERVICE_FILE = 6;

/**
 * Begins with the files that use the service, and spreads the others among them: those wait for other processes while
 * these compute, and the short ones are left for the end, so that no worker waits long for the last file of another.
 */
export class SpreadServiceTests extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const unitFiles = sorted.filter(({ project }) => project.name !== 'service');
    const serviceFiles = sorted.filter(({ project }) => project.name === 'service');
    const spread = serviceFiles.flatMap(file => [file, ...unitFiles.splice(0, UNIT_FILES_PER_SERVICE_FILE)]);
    return [...spread, ...unitFiles];
  }
}
