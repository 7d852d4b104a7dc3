/** Examples of the document. A test sends their requests to the running service and compares what it answers. */
export const EXAMPLE_PET = { id: 473478439174144, name: 'Rex', categoryId: 1, status: 'available' } as const;

export const EXAMPLE_NEW_PET = { name: EXAMPLE_PET.name, categoryId: EXAMPLE_PET.categoryId } as const;

export const EXAMPLE_ORDER = {
  id: 473478446710785,
  petId: EXAMPLE_PET.id,
  status: 'placed',
  placedAt: '2026-11-01T09:30:00.000Z',
} as const;
