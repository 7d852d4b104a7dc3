// Written from the OpenAPI document by `npm run client`.

/** Availability status of an animal. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** An animal to add. Fields that aren't listed here are ignored. */
export interface NewPet {
  /** The animal's name: 1 to 255 characters (Unicode code points), not only white space; no control characters, lone surrogates or U+FFFD. It is stored exactly as sent. */
  name: string;
  /** Identifier of the category that the animal belongs to. */
  categoryId: bigint;
  /** Availability status, `available` by default. */
  status?: PetStatus | undefined;
}

/** Status of an order. */
export type OrderStatus = 'placed' | 'approved' | 'delivered';

/** A page of animals, sorted by ascending `id`. */
export type Pets = Pet[];

/** An animal. */
export interface Pet {
  /** Unique identifier, assigned on creation. Animals added later have higher ones. */
  id: bigint;
  /** The animal's name, exactly as sent. */
  name: string;
  /** Identifier of the category that the animal belongs to. */
  categoryId: bigint;
  status: PetStatus;
}

/** A page of orders, sorted by ascending `id`. */
export type Orders = Order[];

/** An order for one animal. */
export interface Order {
  /** Unique identifier of the order. */
  id: bigint;
  /** Identifier of the animal that was ordered. */
  petId: bigint;
  status: OrderStatus;
  /** When the order was placed (RFC 3339, UTC). */
  placedAt: string;
}

/** Machine-readable error code. New codes may be added: if you don't know one, go by the status. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_cursor'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | 'timeout'
  | (string & {});

export interface ListPetsQuery {
  /** Maximum number of items per page. */
  limit?: number | undefined;
  /** Return only animals with this status. */
  status?: PetStatus | undefined;
  /** Where the page starts. Take it from the `Link` header of the previous page. It only works with the list and filter of that page; otherwise the response is 400 `invalid_cursor`. */
  cursor?: string | undefined;
}

export interface ListOrdersQuery {
  /** Maximum number of items per page. */
  limit?: number | undefined;
  /** Return only orders with this status. */
  status?: OrderStatus | undefined;
  /** Where the page starts. Take it from the `Link` header of the previous page. It only works with the list and filter of that page; otherwise the response is 400 `invalid_cursor`. */
  cursor?: string | undefined;
}
