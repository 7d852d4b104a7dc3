import { expect, test } from 'vitest';
import { readableTemplate } from '../../../../infra/local/readable-template.ts';
import { templateOf } from '../templates.ts';
import { changedLines, committedSnapshot } from './snapshot.ts';

test('the template of production is as it was reviewed', () => {
  const changed = changedLines(committedSnapshot(), readableTemplate(templateOf('Petstore-Production')));
  const message = `The template changes. If that is intended, accept it with npm run template, and commit it.\n\n${changed.join('\n')}`;
  expect(changed, message).toEqual([]);
});
