/** Whether an animal is available. */
export type PetStatus = 'available' | 'pending' | 'sold';
/** An animal to be added. Fields that are not listed are ignored. */
export interface NewPet {
    /** The animal’s name: 1 to 255 characters (Unicode code points), at least one of them not white space, none of them a control character, a lone surrogate or U+FFFD. It is kept as it was sent. */
    name: string;
    /** Identifier of the category that the animal belongs to. */
    categoryId: bigint;
    /** Availability; without one the animal is `available`. */
    status?: PetStatus | undefined;
}
/** How far an order has come. */
export type OrderStatus = 'placed' | 'approved' | 'delivered';
/** A page of animals in ascending order of `id`. */
export type Pets = Pet[];
/** An animal. */
export interface Pet {
    /** Unique identifier, assigned on creation. Later animals have greater ones. */
    id: bigint;
    /** The animal’s name, as it was sent. */
    name: string;
    /** Identifier of the category that the animal belongs to. */
    categoryId: bigint;
    status: PetStatus;
}
/** A page of orders in ascending order of `id`. */
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
/** Machine-readable error code. Further codes may be added: treat one that you do not know by its status. */
export type ErrorCode = 'invalid_request' | 'invalid_cursor' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'conflict' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_mismatch' | 'rate_limited' | 'internal_error' | 'unavailable' | 'timeout' | (string & {});
export interface ListPetsQuery {
    /** Maximum number of elements of the page. */
    limit?: number | undefined;
    /** Only animals of this availability. */
    status?: PetStatus | undefined;
    /** Where the page starts: taken from the `Link` header of the page before it. It is good for the list and filter that it was given for; any other is 400 `invalid_cursor`. */
    cursor?: string | undefined;
}
export interface ListOrdersQuery {
    /** Maximum number of elements of the page. */
    limit?: number | undefined;
    /** Only orders of this status. */
    status?: OrderStatus | undefined;
    /** Where the page starts: taken from the `Link` header of the page before it. It is good for the list and filter that it was given for; any other is 400 `invalid_cursor`. */
    cursor?: string | undefined;
}
