import * as z from 'zod';
import { KeptFile } from '../host/data-folder.ts';

/** What was changed of a REST API and its stages since it was deployed. */
const Settings = z.strictObject({
  restApiId: z.string(),
  disableExecuteApiEndpoint: z.boolean(),
  /** Whether the data plane refuses requests to the default endpoint: the setting as of the last update of a stage. */
  isDefaultEndpointClosed: z.boolean(),
  stageDescriptions: z.record(z.string(), z.string()),
});
type Settings = Readonly<z.infer<typeof Settings>>;

const Content = z.strictObject({ restApis: z.array(Settings).readonly() });

/**
 * The settings of REST APIs that operations have changed, kept in a file of the form {"restApis": [{"restApiId": "…", …}]},
 * written before a change takes effect.
 */
export class RestApiSettings {
  readonly #file: KeptFile<typeof Content>;
  #restApis: readonly Settings[];

  constructor(file?: string) {
    this.#file = new KeptFile(file, Content);
    this.#restApis = this.#file.read()?.restApis ?? [];
  }

  of(restApiId: string): Settings {
    return (
      this.#restApis.find(settings => settings.restApiId === restApiId) ?? {
        restApiId,
        disableExecuteApiEndpoint: false,
        isDefaultEndpointClosed: false,
        stageDescriptions: {},
      }
    );
  }

  /** Takes effect with the next update of a stage. */
  setDisableExecuteApiEndpoint(restApiId: string, disableExecuteApiEndpoint: boolean): void {
    this.#replace({ ...this.of(restApiId), disableExecuteApiEndpoint });
  }

  /** Updates a stage, unless it has the description already. */
  describeStage(restApiId: string, stageName: string, description: string): void {
    const before = this.of(restApiId);
    if (before.stageDescriptions[stageName] === description) return;
    this.#replace({
      ...before,
      stageDescriptions: { ...before.stageDescriptions, [stageName]: description },
      isDefaultEndpointClosed: before.disableExecuteApiEndpoint,
    });
  }

  #replace(settings: Settings): void {
    const others = this.#restApis.filter(({ restApiId }) => restApiId !== settings.restApiId);
    const restApis = [...others, settings];
    this.#file.keep({ restApis });
    this.#restApis = restApis;
  }
}
