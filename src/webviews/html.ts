/** Builds the one HTML page that every webview starts from, with its content security policy (pure). */

export interface PagePolicy {
  /** sources of images beside none: `data:`, or origins that a person has approved */
  readonly images?: readonly string[];
  /** origins that may be framed */
  readonly frames?: readonly string[];
  /**
   * Whose content a `srcdoc` frame of this page shows: such a frame inherits the page's policy and can only tighten it.
   * `face`: inline styles. `scriptedFace`: inline styles and scripts; only for the panel type of scripted faces.
   */
  readonly hosts?: 'face' | 'scriptedFace';
}

export interface PageOptions {
  readonly title: string;
  /** webview URIs of the bundle */
  readonly script: string;
  readonly style: string;
  /** `Webview.cspSource` */
  readonly cspSource: string;
  readonly nonce: string;
  readonly policy?: PagePolicy;
}

/** The whole policy, one directive after the other. */
export function policyOf({
  cspSource,
  nonce,
  policy = {},
}: Pick<PageOptions, 'cspSource' | 'nonce' | 'policy'>): string {
  const mine = `'nonce-${nonce}'`;
  const scripts = policy.hosts === 'scriptedFace' ? `${cspSource} 'unsafe-inline'` : mine;
  // A nonce beside 'unsafe-inline' would switch the latter off.
  const styles = policy.hosts === undefined ? `${cspSource} ${mine}` : `${cspSource} 'unsafe-inline'`;
  const images = sources(policy.images ?? [], isImageSource);
  const frames = sources(policy.frames ?? [], isOrigin);
  return [
    `default-src 'none'`,
    `script-src ${scripts}`,
    `style-src ${styles}`,
    ...(images === '' ? [] : [`img-src ${images}`]),
    ...(frames === '' ? [] : [`frame-src ${frames}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** Throws for a source that is not exactly `data:` or an http(s) origin: nothing else may slip into the policy. */
function sources(list: readonly string[], fits: (source: string) => boolean): string {
  const wrong = list.find((source) => !fits(source));
  if (wrong !== undefined) throw new Error('Not a source that a page may load from');
  return list.join(' ');
}

function isImageSource(source: string): boolean {
  return source === 'data:' || isOrigin(source);
}

function isOrigin(source: string): boolean {
  if (!URL.canParse(source)) return false;
  const url = new URL(source);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === source && !/[\s;,'"*]/.test(source);
}

/** The page: our bundle, an empty root, and the policy before anything else. */
export function pageHtml(options: PageOptions): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policyOf(options))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(options.style)}" nonce="${escapeHtml(options.nonce)}">
<title>${escapeHtml(options.title)}</title>
</head>
<body>
<div id="root"></div>
<script src="${escapeHtml(options.script)}" nonce="${escapeHtml(options.nonce)}"></script>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
