import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { createPet, getPet, listPets } from '../../shared/pets/operations.ts';
import { IDEMPOTENCY_KEYS_TABLE, PETS_TABLE } from '../../shared/pets/pet-tables.ts';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** The pets: their tables and the operations on them. */
export class Pets extends Construct {
  readonly table: ServiceTable;
  readonly idempotencyKeys: ServiceTable;

  constructor(scope: Construct, id: string, environment: Environment, api: PublicApi) {
    super(scope, id);
    const { petShards } = environment;
    const pets = new ServiceTable(this, 'Table', environment, {
      name: 'pets',
      partitionKey: { name: PETS_TABLE.partitionKey, type: AttributeType.NUMBER },
      sortKey: { name: PETS_TABLE.sortKey, type: AttributeType.NUMBER },
    });
    this.table = pets;
    const indexes = Object.values(PETS_TABLE.indexes).flat();
    for (const { name, partitionKey } of indexes) {
      pets.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: { name: partitionKey, type: AttributeType.STRING },
        sortKey: { name: PETS_TABLE.sortKey, type: AttributeType.NUMBER },
        projectionType: ProjectionType.ALL,
      });
    }
    // The construct id is part of the deployed table's identity: CloudFormation would replace a renamed table.
    const idempotencyKeys = new ServiceTable(this, 'Creations', environment, {
      name: 'idempotencyKeys',
      partitionKey: { name: IDEMPOTENCY_KEYS_TABLE.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: IDEMPOTENCY_KEYS_TABLE.timeToLive,
    });
    this.idempotencyKeys = idempotencyKeys;

    api.route(
      listPets,
      new ServiceFunction(this, 'ListPets', 'pets/list-pets', { environment })
        .grantTable(
          pets,
          'PETS_TABLE',
          ['Query'],
          indexes.map(({ name }) => name),
        )
        .withVariable('PET_SHARDS', String(petShards))
        .withVariable('CURSOR_SECRET', api.cursorSecret.secretValue.unsafeUnwrap()),
    );
    api.route(
      createPet,
      new ServiceFunction(this, 'CreatePet', 'pets/create-pet', { environment })
        .grantTable(pets, 'PETS_TABLE', ['PutItem'])
        .grantTable(idempotencyKeys, 'IDEMPOTENCY_KEYS_TABLE', ['PutItem'])
        .withVariable('PET_SHARDS', String(petShards)),
    );
    api.route(
      getPet,
      new ServiceFunction(this, 'GetPet', 'pets/get-pet', { environment })
        .grantTable(pets, 'PETS_TABLE', ['GetItem'])
        .withVariable('PET_SHARDS', String(petShards)),
    );
  }
}
