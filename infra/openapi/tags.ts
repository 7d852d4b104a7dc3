export const OPERATIONS_TAG = 'animals';

/** The tag of the operations, and the two navigation groups above it, which have no operations themselves. */
export const TAGS = [
  { name: 'Store', description: 'The store and its orders.' },
  { name: 'Pets', description: 'The animals of the store.', 'x-parent': 'Store' },
  {
    name: OPERATIONS_TAG,
    'x-displayName': 'Animals',
    description: 'List animals, add one, and see what was ordered.',
    'x-parent': 'Pets',
  },
];

/** The same hierarchy for tools that support groups of tags but not parents. */
export const TAG_GROUPS = [
  { name: 'Store', tags: ['Pets'] },
  { name: 'Pets', tags: [OPERATIONS_TAG] },
];
