/** The faces that are previewed. */

/** A page with placeholders, an image, a linked style sheet and a script. */
export const BADGE_HTML = `<!doctype html>
<html>
  <head>
    <style>
      body { margin: 0; padding: 20px; font: 15px system-ui; }
      article {
        border-radius: 14px;
        padding: 20px;
        color: #fff;
        background: linear-gradient(#4338ca, #0891b2);
      }
      h1 { margin: 0; font-size: 22px; }
    </style>
    <link rel="stylesheet" href="https://fonts.example/font.css" />
  </head>
  <body>
    <article>
      <h1>{{.metadata.name}}</h1>
      <p>No. {{.metadata.edition}}</p>
      {{if .custom.scanned}}<p>Scanned</p>{{else}}<p>Valid</p>{{end}}
      <small>{{.id}}</small>
    </article>
    <img src="https://cdn.example/seal.png" alt="" hidden />
    <script>console.log('not here');</script>
  </body>
</html>
`;

/** A page, views, config, assets and placeholders with all outcomes. */
export const FACE_WITH_VIEWS = JSON.stringify({
  name: 'Varied',
  content: '<h1>{{.metadata.name}}</h1>\n<p>{{.custom.nobody}}</p>\n<p>{{printf "%[1]d" 3}}</p>',
  config: { aspect_ratio: '2/1', theme: 'dusk' },
  assets: [{ id: 'seal', name: 'Seal', type: 'image/png', url: 'https://cdn.example/seal.png' }],
  views: [
    { variant: 'card', media_type: 'text/html', content: '<b>card view</b>', aspect_ratio: '16/10' },
    { variant: 'share', media_type: 'text/plain', content: '<b>no markup</b>', aspect_ratio: '1' },
  ],
});

/** Links, a face that is too complex, and more findings than fit. */
export const FACE_WITH_LINKS = JSON.stringify({
  name: 'Linked',
  views: [
    {
      variant: 'links',
      content:
        '<p style="margin:40px"><a href="https://a.example/x?y=1&amp;z">out</a> <a href="#here">in</a> <a href="mailto:desk@a.example">mail</a><iframe src=x></iframe><p style="height:3000px"></p><b id="here">here</b>',
    },
    {
      variant: 'drawn',
      media_type: 'image/svg+xml',
      content: '<svg viewBox="0 0 9 9"><a href="https://b.example/"><rect width="9" height="9"/></a></svg>',
    },
    { variant: 'heavy', content: `${'<div>'.repeat(300)}<b>deep</b>` },
    { variant: 'findings', content: '<script></script>\n'.repeat(80) },
  ],
});
