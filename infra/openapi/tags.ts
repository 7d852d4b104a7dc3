export const OPERATIONS_TAG = 'animals';

/**
 * The tag of the operations, and the two navigation groups above it, which have no operations themselves. The reference
 * page has two levels: it shows the tag under the name of the group that it alone is in.
 */
export const TAGS = [
  { name: 'Store', description: 'The store and its orders.' },
  { name: 'Pets', description: 'The animals of the store.', 'x-parent': 'Store' },
  {
    name: OPERATIONS_TAG,
    'x-displayName': 'Pets',
    description: 'List animals, add one, and see what was ordered.',
    'x-parent': 'Pets',
  },
];

/** The same hierarchy for tools that support groups of tags but not parents: a group cannot contain another. */
export const TAG_GROUPS = [{ name: 'Store', tags: [OPERATIONS_TAG] }];
