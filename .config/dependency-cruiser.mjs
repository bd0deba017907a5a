// Which folder of `src` may import which, imports of types included, and which folders name no `vscode`.

/** From low to high. A file imports from its own folder and from lower rows, never from another folder of its row. */
const LAYERS = [
  ['platform'],
  ['sandbox', 'model'],
  ['ui'],
  ['webviews', 'cache'],
  ['commands'],
  ['connections'],
  ['explorer', 'documents', 'actions', 'logs', 'faces', 'statistics', 'requests'],
  ['agents', 'environments', 'lens', 'pages'],
  ['watches'],
  ['cli'],
  ['features.ts'],
  ['extension.ts'],
];
const WITHOUT_VSCODE = [
  ...['platform', 'sandbox', 'cli', 'model', 'cache'],
  ...['webviews/protocol', 'webviews/client', 'watches/engine'],
];

/** @type {(names: readonly string[]) => string} */
const below = (names) => `^src/(${names.join('|').replaceAll('.', String.raw`\.`)})(/|$)`;

const layers = LAYERS.flatMap((folders, index) =>
  folders.map((folder) => ({
    name: `layer of ${folder}`,
    from: { path: below([folder]) },
    to: { path: '^src/', pathNot: below([folder, ...LAYERS.slice(0, index).flat()]) },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layers,
    { name: 'every folder has a layer', from: { path: '^src/', pathNot: below(LAYERS.flat()) }, to: {} },
    { name: 'no file imports itself through others', from: {}, to: { circular: true } },
    { name: 'without vscode', from: { path: below(WITHOUT_VSCODE) }, to: { path: '(^|/)vscode(/|$)' } },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: { doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true },
};
