/** Declarations of the parts of Express that the peer uses; the package has none of its own. */
declare module 'express' {
  import type { APIGatewayProxyEvent } from 'aws-lambda';

  export interface Request {
    readonly query: Record<string, unknown>;
    readonly params: Record<string, string>;
    readonly body: unknown;
    /** Set by serverless-http. */
    readonly apiGateway: { readonly event: APIGatewayProxyEvent };
    get(header: string): string | undefined;
  }

  export interface Response {
    set(headers: Record<string, string>): this;
    set(header: string, value: string): this;
    status(status: number): this;
    send(body: string): this;
  }

  export type NextFunction = () => void;
  // biome-ignore lint/suspicious/noExplicitAny: middleware of two to four parameters, as Express counts them.
  type Middleware = (...parameters: any[]) => unknown;

  interface Application {
    (request: never, response: never): void;
    disable(setting: string): void;
    use(middleware: Middleware): void;
    get(path: string, handler: Middleware): void;
    post(path: string, ...handlers: Middleware[]): void;
  }

  function express(): Application;
  namespace express {
    function text(options: { type: () => boolean; limit: number }): Middleware;
  }
  // biome-ignore lint/style/noDefaultExport: it is what Express has.
  export default express;
}
