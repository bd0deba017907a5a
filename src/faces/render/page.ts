import * as l10n from '@vscode/l10n';
import { isApproved } from '../policy/approvals.ts';
import { classifyUrl, isInsecureRemoteOrigin } from '../policy/url-kind.ts';
import type { Subject } from '../source/subject.ts';
import { fillUrl } from './fill-url.ts';
import { EMPTY_RESULT, getUnresolved, type RenderContext, type RenderResult } from './result.ts';

/** Renders a face that is a web page. The object's id is its query parameter `object_id`, as in other viewers of the platform. */
export function renderPage(source: string, subject: Subject | undefined, context: RenderContext): RenderResult {
  const filled = fillUrl(source, subject?.data);
  const unresolved = getUnresolved(filled);
  const address = classifyUrl(filled.text);
  if (address.type !== 'web' || !URL.canParse(address.url)) {
    return {
      ...EMPTY_RESULT,
      type: 'empty',
      note: l10n.t('The page’s address is not a web address.'),
      tone: 'warning',
      unresolved,
    };
  }
  const url = new URL(address.url);
  url.username = '';
  url.password = '';
  if (subject !== undefined) url.searchParams.set('object_id', subject.id);
  if (isInsecureRemoteOrigin(url.origin)) {
    const note = l10n.t(
      'This face is a page on {0}, which uses unencrypted HTTP. Only HTTPS pages are shown here.',
      url.origin,
    );
    return { ...EMPTY_RESULT, type: 'empty', externalUrl: url.href, note, tone: 'warning', unresolved };
  }
  const withObjectData = filled.text !== source || source.includes('{{') || context.sharesPage === true;
  const sends = withObjectData ? 'data' : subject !== undefined ? 'id' : 'nothing';
  const request = { kind: 'page', origin: url.origin, sends } as const;
  const allowed = isApproved(context.approvals, request);
  return {
    ...EMPTY_RESULT,
    type: allowed ? 'page' : 'empty',
    pageUrl: url.href,
    externalUrl: url.href,
    note: formatPageNote(url, allowed),
    tone: 'info',
    unresolved,
    approvalRequests: allowed ? [] : [request],
  };
}

function formatPageNote(url: URL, allowed: boolean): string {
  return allowed
    ? l10n.t('This page comes from {0}, not from the platform, and has not been verified.', url.origin)
    : l10n.t('This face is a page on {0}. It is not loaded without your permission.', url.origin);
}
