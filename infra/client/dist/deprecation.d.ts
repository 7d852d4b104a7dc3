/** An operation that is going to be removed, as its responses announce it. */
export interface Deprecation {
    /** The operation, such as `GET /pets/{petId}`. */
    readonly operation: string;
    /** Since when it is deprecated. */
    readonly since: Date;
    /** When it is removed, if that is decided. */
    readonly sunset: Date | undefined;
    /** The URL to call instead, if there is one. */
    readonly successor: string | undefined;
}
/** The deprecation that the headers of a response announce (RFC 9745, RFC 8594), or undefined. */
export declare function deprecationOf(operation: string, headers: Headers): Deprecation | undefined;
/** Warns on the console. */
export declare function warnOfDeprecation({ operation, sunset, successor }: Deprecation): void;
/** The targets of the links with this relation in a Link header (RFC 8288), or undefined if the header is malformed. */
export declare function linkTargets(header: string | null, relation: string): string[] | undefined;
