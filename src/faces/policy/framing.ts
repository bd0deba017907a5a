import * as l10n from '@vscode/l10n';

export type PageState =
  | { readonly status: 'checking' }
  | { readonly status: 'shown'; readonly src: string; readonly note?: string }
  | { readonly status: 'refused'; readonly reason: string };

/** Checks a response of the page at `src`: `reason`: why it cannot be framed; `note`: text below the frame. */
export function checkFraming(
  src: string,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): { readonly reason: string } | { readonly note?: string } {
  const refusal = findFramingRefusal(headers);
  if (refusal !== undefined) return { reason: l10n.t('This site does not allow embedding ({0}).', refusal) };
  const redirect = status >= 300 && status < 400 ? headers['location'] : undefined;
  const origin = redirect !== undefined && URL.canParse(redirect, src) ? new URL(redirect, src).origin : undefined;
  if (origin !== undefined && origin !== new URL(src).origin)
    return { reason: l10n.t('This page redirects to {0}, which is not allowed.', origin) };
  return status >= 400 ? { note: l10n.t('The page responded with HTTP {0}.', String(status)) } : {};
}

/**
 * Returns the header that refuses framing; `undefined` if none does. Header names are lower case, repeated headers
 * joined with commas.
 */
export function findFramingRefusal(headers: Readonly<Record<string, string>>): string | undefined {
  const policies = (headers['content-security-policy'] ?? '').split(',');
  for (const policy of policies) {
    for (const directive of policy.split(';')) {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      if (name.toLowerCase() !== 'frame-ancestors') continue;
      // The origin of the editor differs between installations: only `*` certainly includes it.
      if (!sources.includes('*'))
        return `Content-Security-Policy: frame-ancestors ${sources.join(' ').slice(0, 100) || "'none'"}`;
    }
  }
  // Browsers ignore X-Frame-Options if a policy has frame-ancestors.
  if (policies.some((policy) => /(^|;)\s*frame-ancestors\b/i.test(policy))) return undefined;
  const options = (headers['x-frame-options'] ?? '').split(',').map((value) => value.trim().toUpperCase());
  const refusal = options.find((value) => value === 'DENY' || value === 'SAMEORIGIN');
  return refusal === undefined ? undefined : `X-Frame-Options: ${refusal}`;
}
