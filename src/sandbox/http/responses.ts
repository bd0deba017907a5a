/** Requests and responses of routes. */
import type { Principal } from '../auth/principal.ts';

export interface RouteRequest {
  /** decoded path parameters */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** parsed JSON; undefined without a body */
  readonly body: unknown;
  /** undefined on open routes */
  readonly principal: Principal | undefined;
}

export type RouteResponse =
  | { readonly status: number; readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number;
      readonly type: string;
      readonly bytes: Buffer | string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A response of status 200. */
export function ok(json: unknown): RouteResponse {
  return { status: 200, json };
}
