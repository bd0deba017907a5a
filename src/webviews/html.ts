/** Builds the one HTML page that every webview starts from, with its content security policy. */

export interface PagePolicy {
  /** image sources: `data:`, or origins that the user has approved */
  readonly images?: readonly string[];
  /** origins that may be framed */
  readonly frames?: readonly string[];
  /**
   * What the page's `srcdoc` frames may contain; they inherit the page's policy and can only tighten it.
   * `face`: inline styles and fonts. `scriptedFace`: inline styles, fonts and scripts, for the panel type of scripted faces only.
   */
  readonly frameContent?: 'face' | 'scriptedFace';
}

interface PageOptions {
  readonly title: string;
  /** webview URIs of the bundle */
  readonly script: string;
  /** those of the modules that the script imports, which are loaded at the same time */
  readonly imports: readonly string[];
  readonly style: string;
  /** `Webview.cspSource` */
  readonly cspSource: string;
  readonly nonce: string;
  readonly policy?: PagePolicy;
  /** language of the messages, a BCP 47 tag; default: English */
  readonly language?: string;
  /** translations of the page's messages; none in English */
  readonly messages?: Readonly<Record<string, string>>;
}

/** Formats the `Content-Security-Policy` of a page. Throws for a source that is neither `data:` nor an http(s) origin. */
export function formatContentSecurityPolicy({
  cspSource,
  nonce,
  policy = {},
}: Pick<PageOptions, 'cspSource' | 'nonce' | 'policy'>): string {
  const nonceSource = `'nonce-${nonce}'`;
  const scripts = policy.frameContent === 'scriptedFace' ? `${cspSource} 'unsafe-inline'` : nonceSource;
  // Browsers ignore 'unsafe-inline' if there is a nonce as well.
  const styles = policy.frameContent === undefined ? `${cspSource} ${nonceSource}` : `${cspSource} 'unsafe-inline'`;
  const images = formatSources(policy.images ?? [], isImageSource);
  const frames = formatSources(policy.frames ?? [], isOrigin);
  return [
    `default-src 'none'`,
    `script-src ${scripts}`,
    `style-src ${styles}`,
    ...(images === '' ? [] : [`img-src ${images}`]),
    ...(policy.frameContent === undefined ? [] : ['font-src data:']),
    ...(frames === '' ? [] : [`frame-src ${frames}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

function formatSources(list: readonly string[], isAllowed: (source: string) => boolean): string {
  const invalid = list.find((source) => !isAllowed(source));
  if (invalid !== undefined) throw new Error('Not a source that a page may load from');
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

/** Creates the page of a webview: its policy, its messages, its bundle, and an empty element with the id `root`. */
export function createPageHtml(options: PageOptions): string {
  const { language = 'en', messages } = options;
  // No policy applies to a data block, and `<` would end it.
  const data = messages === undefined ? '' : JSON.stringify(messages).replaceAll('<', '\\u003c');
  const nonce = escapeHtml(options.nonce);
  const preloads = options.imports
    .map((address) => `<link rel="modulepreload" href="${escapeHtml(address)}" nonce="${nonce}">\n`)
    .join('');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(formatContentSecurityPolicy(options))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(options.style)}" nonce="${nonce}">
${preloads}<title>${escapeHtml(options.title)}</title>
</head>
<body>
<main id="root"></main>
${data === '' ? '' : `<script type="application/json" id="messages">${data}</script>\n`}<script type="module" src="${escapeHtml(options.script)}" nonce="${nonce}"></script>
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

/** Escapes text for HTML content and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
