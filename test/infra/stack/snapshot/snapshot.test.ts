import { expect, test } from 'vitest';
import { templateOf, withFault } from '../templates.ts';
import { readableTemplate } from './readable-template.ts';
import { changedLines, committedSnapshot } from './snapshot.ts';
import { widening } from './widening.ts';

const production = templateOf('Petstore-Production');
const reviewed = committedSnapshot();

test('the template of production is as it was reviewed', () => {
  const changed = changedLines(reviewed, readableTemplate(production)).join('\n');
  const message = `The template changes. If that is intended, run npm run template and commit what it writes.\n\n${changed}`;
  expect(changed, message).toBe('');
});

const POLICY = 'Properties.PolicyDocument.Statement.0';
const GET_PETS = 'PublicApiv1petsGET';
const PERMISSION = `${GET_PETS}ApiPermissionPetstoreProductionPublicApiGETv1pets`;

test.each([
  ['Grants', 'PetsGetPetRoleDefaultPolicy', `${POLICY}.Action`, 'dynamodb:Scan'],
  ['What was denied', 'DomainMailTopicPolicy', POLICY, undefined],
  ['Managed policies', 'PetsGetPetRole', 'Properties.ManagedPolicyArns', ['arn:aws:iam::aws:policy/All']],
  ['Open routes', GET_PETS, 'Properties.AuthorizationType', 'NONE'],
  ['Endpoints', 'RedirectsApi', 'Properties.DisableExecuteApiEndpoint', undefined],
  ['What may invoke a function', PERMISSION, 'Properties.SourceArn', undefined],
  ['Events and schedules', 'ProjectsDeployed', 'Properties.EventPattern.detail', undefined],
  ['Data that a deletion', 'PetsTable', 'DeletionPolicy', 'Delete'],
  ['Keys of tables', 'PetsTable', 'Properties.KeySchema.1', undefined],
  ['Timeouts that grow', 'PetsListPetsFunction', 'Properties.Timeout', 7],
])('%s: a change of %s is named first, and shown', (title, name, path, value) => {
  const changed = readableTemplate(withFault(production, name, path, value));
  expect(widening(reviewed, changed)[0]).toMatch(new RegExp(`^${title}`));
  expect(changedLines(reviewed, changed)[0]).toMatch(new RegExp(`^${name} `));
});

test('a variable less and a shorter timeout are shown, and widen nothing', () => {
  for (const [path, value] of [
    ['Properties.Timeout', 5],
    ['Properties.Environment.Variables.PETS_TABLE', undefined],
  ] as const) {
    const changed = readableTemplate(withFault(production, 'PetsListPetsFunction', path, value));
    expect(widening(reviewed, changed)).toEqual([]);
    expect(changedLines(reviewed, changed)).toHaveLength(path.endsWith('Timeout') ? 3 : 2);
  }
});
