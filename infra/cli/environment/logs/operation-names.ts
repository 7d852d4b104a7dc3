/**
 * The operations by their routes in the access log. The declarations in shared/ would bring their schemas into the
 * command; a test compares the two.
 */
export const OPERATION_NAMES: Readonly<Record<string, string>> = {
  'GET /v1/pets': 'listPets',
  'POST /v1/pets': 'createPet',
  'GET /v1/pets/{petId}': 'getPet',
  'GET /v1/store/orders': 'listOrders',
};
