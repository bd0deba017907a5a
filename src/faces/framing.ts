/** Reads from an answer's headers whether a page lets itself be framed by another site (pure). */

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
