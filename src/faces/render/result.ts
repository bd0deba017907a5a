/** Input and result of rendering a frame. */
import type { ApprovalRequest } from '../policy/approvals.ts';
import type { FaceLink, Finding } from '../policy/scan-html.ts';
import { classifyUrl } from '../policy/url-kind.ts';
import type { FillResult, Unresolved } from '../template/fill-template.ts';

export interface RenderContext {
  readonly scripts: boolean;
  /** the page has other frames: their links and scripts can navigate to any origin that the page may frame */
  readonly sharesPage?: boolean;
  /** default `complexity`: no faces that are too complex; `closed`: none; `none`: all, on the user's request */
  readonly gate?: 'complexity' | 'closed' | 'none';
  /** base of relative asset addresses; absent for a file without a connection */
  readonly baseUrl?: string;
  /** ids of what the user has approved, see `isApproved` */
  readonly approvals: readonly string[];
  /** finished downloads by address, as data: URLs; `null`: failed */
  readonly fetchedImages: Pick<ReadonlyMap<string, string | null>, 'get' | 'size'>;
  /** `fillTemplate` by default; returns `undefined` while it is filling */
  readonly fill?: (source: string, data: unknown) => FillResult | undefined;
}

export interface RenderResult {
  readonly type: 'document' | 'page' | 'empty';
  readonly srcdoc?: string;
  /** the page's full address; shown only when allowed */
  readonly pageUrl?: string;
  /** what Open in Browser opens; web addresses only */
  readonly externalUrl?: string;
  readonly note?: string;
  readonly tone?: 'info' | 'warning' | 'error';
  readonly findings: readonly Finding[];
  readonly unresolved: readonly Unresolved[];
  readonly approvalRequests: readonly ApprovalRequest[];
  /** origins that the frame's images come from, all of them allowed */
  readonly imageOrigins: readonly string[];
  /** asset addresses on the connection's own origin that are not fetched yet */
  readonly missingImages: readonly string[];
  /** links of the filled face, with their places there */
  readonly links: readonly FaceLink[];
  /** its template is still being filled */
  readonly isPending?: boolean;
  /** not rendered because it could block the window; the user can request it */
  readonly heavy?: boolean;
}

/** The lists of a result without findings, requests, images and links. */
export const EMPTY_RESULT = {
  links: [],
  findings: [],
  unresolved: [],
  approvalRequests: [],
  imageOrigins: [],
  missingImages: [],
} as const;

/** Unresolved placeholders for the user; the errors that stopped the template come first. */
export function getUnresolved({ unresolved, errors }: FillResult): readonly Unresolved[] {
  const fatalErrors = errors.filter(({ phase }) => phase !== 'execute');
  return [...fatalErrors.map(({ message, ...position }) => ({ ...position, reason: message })), ...unresolved];
}

/** The address for Open in Browser, if it is a web address. */
export function getExternalUrl(url: string): { readonly externalUrl?: string } {
  const address = classifyUrl(url);
  return address.type === 'web' ? { externalUrl: address.url } : {};
}
