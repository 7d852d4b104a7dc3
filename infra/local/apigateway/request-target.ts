import { unescape as percentDecode } from 'node:querystring';
import { GatewayFault } from './gateway-fault.ts';

/** The parts of a request's target: `/production/v1/pets?limit=5`. */
export interface RequestTarget {
  readonly stageName: string;
  /** The path as the client wrote it, with the stage if it contains one. */
  readonly calledPath: string;
  /** The path below the stage, as the client wrote it: `/v1/pets`, or `/` when nothing follows the stage. */
  readonly path: string;
  /** The text after the question mark, or an empty string. */
  readonly query: string;
}

/** Splits a target in origin form, or in absolute form as clients of a proxy write it. */
export function requestTarget(url: string): RequestTarget {
  const { wholePath, query } = pathAndQuery(url);
  const [, stageName = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(wholePath) ?? [];
  const path = rest === '' ? '/' : rest;
  return { stageName, calledPath: `/${stageName}${path}`, path, query };
}

/** The target of a request to a custom domain name, whose base path is mapped to a stage. */
export function mappedTarget(url: string, stageName: string): RequestTarget {
  const { wholePath, query } = pathAndQuery(url);
  const path = wholePath === '' ? '/' : wholePath;
  return { stageName, calledPath: path, path, query };
}

function pathAndQuery(url: string) {
  const [, beforeQuery = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  return { wholePath: beforeQuery.replace(/^https?:\/\/[^/]*/i, ''), query };
}

/**
 * The segments of a path, percent-encoded. One trailing slash is ignored. A malformed escape is passed on as it is, as all
 * path parameters are: it is not documented whether API Gateway refuses it, and the function has to be able to.
 */
export function pathSegments(path: string): readonly string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

/** The decoded parameters of a query in their order. A plus is a space, and a semicolon separates as & does. */
export function queryParameters(query: string): readonly (readonly [name: string, value: string])[] {
  if (/%(?![0-9A-Fa-f]{2})/.test(query)) throw new GatewayFault('BAD_REQUEST_PARAMETERS');
  return query
    .split(/[&;]/)
    .filter(pair => pair !== '')
    .map(pair => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', ' ')) ?? [];
      return [percentDecode(name), percentDecode(value)] as const;
    });
}
