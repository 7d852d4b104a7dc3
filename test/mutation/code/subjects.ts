/** A part of the service that must not be wrong, and the tests that have to notice when it is. */
export interface Subject {
  readonly name: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** Whether every survivor has to be explained beside the line that it is in. */
  readonly isStrict?: true;
}

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'authorizer',
    sources: [
      'functions/api-keys/authorize.ts',
      'shared/api-keys/api-key-lookup.ts',
      'shared/api-keys/api-key-record.ts',
    ],
    tests: [
      'test/functions/api-keys/authorize.test.ts',
      'test/shared/api-keys/api-key-{lookup,record}.test.ts',
    ],
    isStrict: true,
  },
  {
    name: 'cursor',
    sources: ['shared/http/cursor.ts'],
    tests: ['test/shared/http/cursor.test.ts'],
    isStrict: true,
  },
  {
    name: 'keys',
    sources: ['shared/api-keys/api-key.ts', 'shared/api-keys/api-key-store.ts', 'shared/api-keys/scopes.ts'],
    tests: ['test/shared/api-keys/{api-key,api-key-store,scopes}.test.ts'],
  },
  {
    name: 'numbers',
    sources: ['shared/int64.ts', 'shared/http/json.ts'],
    tests: ['test/shared/int64.test.ts', 'test/shared/http/json.test.ts'],
  },
  {
    name: 'errors',
    sources: ['shared/errors.ts', 'shared/http/endpoint.ts', 'shared/faults.ts'],
    tests: [
      'test/shared/errors.test.ts',
      'test/shared/http/operation.test.ts',
      'test/shared/http/endpoint.test.ts',
      'test/shared/http/cors.test.ts',
      'test/shared/faults.test.ts',
    ],
  },
  {
    name: 'pets',
    sources: ['shared/pets/pet-id.ts', 'shared/pets/pet-store.ts', 'shared/pets/pet-status.ts'],
    tests: ['test/shared/pets/*.test.ts'],
  },
  {
    name: 'idempotent-creation',
    sources: ['shared/pets/idempotent-creation.ts'],
    tests: ['test/shared/pets/idempotent-creation.test.ts', 'test/functions/pets/create-pet.test.ts'],
  },
  {
    name: 'transitions',
    sources: ['shared/domains/life/*.ts'],
    tests: [
      'test/shared/domains/life/*.test.ts',
      'test/shared/operator/{add-domain,verify-domain,project-commands}.test.ts',
    ],
  },
  {
    name: 'ownership',
    sources: ['shared/aws/ownership-tags.ts', 'shared/domains/aws/*.ts'],
    tests: ['test/shared/aws/ownership-tags.test.ts', 'test/shared/domains/aws/*.test.ts'],
    isStrict: true,
  },
];
