/** The Content-Security-Policy inside the frame of a face. */

export interface FramePolicy {
  /** origins of approved images */
  readonly images: readonly string[];
  /** absent: no scripts */
  readonly scripts?: { readonly reporter: string };
}

/** Formats the policy of a frame; the sandbox and the policy of the page apply as well. */
export function formatFramePolicy({ images, scripts }: FramePolicy): string {
  return [
    `default-src 'none'`,
    ...(scripts === undefined
      ? []
      : [`script-src 'unsafe-inline'`, `require-trusted-types-for 'script'`, 'trusted-types default']),
    `style-src 'unsafe-inline'`,
    'font-src data:',
    `img-src ${['data:', ...images].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}
