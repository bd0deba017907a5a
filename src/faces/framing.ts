/** Reads from an answer whether a page lets itself be framed by another site (pure). */

/** `why` not, as a sentence; else what is to be said under the page. `src` is the address that answered. */
export function framingOf(
  src: string,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): { readonly why: string } | { readonly note?: string } {
  const refusal = framingRefusal(headers);
  if (refusal !== undefined) return { why: `This site does not let itself be framed (${refusal}).` };
  const onward = status >= 300 && status < 400 ? headers['location'] : undefined;
  const origin = onward !== undefined && URL.canParse(onward, src) ? new URL(onward, src).origin : undefined;
  if (origin !== undefined && origin !== new URL(src).origin)
    return { why: `This page leads on to ${origin}, which nobody has allowed.` };
  return status >= 400 ? { note: `The page answers with HTTP ${String(status)}.` } : {};
}

/** Why not, in a few words; `undefined` where nothing forbids it. Header names in lower case, repeated ones joined with commas. */
export function framingRefusal(headers: Readonly<Record<string, string>>): string | undefined {
  const policies = (headers['content-security-policy'] ?? '').split(',');
  for (const policy of policies) {
    for (const directive of policy.split(';')) {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      if (name.toLowerCase() !== 'frame-ancestors') continue;
      // Which origin an editor has differs from one to the next: only `*` surely includes it.
      if (!sources.includes('*'))
        return `Content-Security-Policy: frame-ancestors ${sources.join(' ').slice(0, 100) || "'none'"}`;
    }
  }
  // A policy that speaks of ancestors makes browsers ignore the older header.
  if (policies.some((policy) => /(^|;)\s*frame-ancestors\b/i.test(policy))) return undefined;
  const options = (headers['x-frame-options'] ?? '').split(',').map((word) => word.trim().toUpperCase());
  const refusal = options.find((word) => word === 'DENY' || word === 'SAMEORIGIN');
  return refusal === undefined ? undefined : `X-Frame-Options: ${refusal}`;
}
