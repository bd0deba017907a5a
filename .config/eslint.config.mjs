// The rules that only this project has. Those of any TypeScript project, and the types, are checked by oxlint: see oxlint.jsonc.
import { defineConfig } from 'eslint/config';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';
import { untranslatedText } from './untranslated-text.mjs';
import { REPLACEMENTS } from './vocabulary.mjs';

/** Folders and files whose texts are in English: see `smart-objects/untranslated-text`. */
const ENGLISH = [
  // Read by language models, in terminals, in the log and by developers of the extension.
  'agents/{batch-tools,compare-tool,failures-tool,preview-tool,read-items,run-tool,tool,tools,untrusted-data}.ts',
  'cli/**',
  'sandbox/**',
  'connections/session/request-log.ts',
  'platform/http/{exchange,public-address}.ts',
  'platform/json/json-limits.ts',
  'webviews/client/{dom,host-connection,icons}.ts',
  'webviews/html.ts',
  'webviews/protocol/index.ts',
  // File formats and generated code.
  'actions/bulk/**/results.ts',
  'actions/client/{client-runtime,generate-client}.ts',
  'documents/commands/format-types.ts',
  'environments/report.ts',
  'model/resources/infer-types.ts',
  'explorer/filter/condition.ts',
  'faces/policy/frame-policy.ts',
  'faces/render/{card,console-script,document}.ts',
  'model/requests/har.ts',
  'requests/request-code.ts',
  // The errors of Go's templates.
  'faces/template/{escape,functions,parse}/**',
  'faces/template/evaluate.ts',
];

const SYNTAX = [
  ...REPLACEMENTS.map(([word, replacement]) => ({
    selector: `Identifier[name=${String(word)}]`,
    message: `Not a word of the glossary: ${replacement}.`,
  })),
  { selector: 'ObjectExpression > SpreadElement > ObjectExpression', message: 'Its properties stand by themselves.' },
];
/** The words of the glossary, and messages that can be extracted. */
export const sourceSyntax = {
  'no-restricted-syntax': /** @type {['error', ...object[]]} */ ([
    'error',
    ...SYNTAX,
    {
      selector:
        'CallExpression:matches([callee.object.name=l10n][callee.property.name=t], [callee.name=stored]):not([arguments.0.type=Literal], [arguments.0.type=ObjectExpression])',
      message: 'A message is a literal.',
    },
  ]),
};

const METHODS = 'writeFile|appendFile|createWriteStream|copyFile|cp|write|truncate';
const MESSAGE = 'Files are written by src/model/files/write-file.ts and src/ui/save-file.ts, which follow no link.';

/** Keeps modules from writing files themselves. */
export const fileWrites = {
  'no-restricted-imports': /** @type {['error', object]} */ ([
    'error',
    {
      paths: ['fs', 'node:fs', 'fs/promises', 'node:fs/promises'].map((name) => ({
        name,
        importNames: METHODS.split('|').flatMap((method) => [method, `${method}Sync`]),
        message: MESSAGE,
      })),
    },
  ]),
  'no-restricted-syntax': /** @type {['error', ...object[]]} */ ([
    'error',
    ...[
      // `fs.writeFile`, `vscode.workspace.fs.writeFile`
      `MemberExpression[property.name=/^(${METHODS})(Sync)?$/]:matches([object.name='fs'], [object.property.name='fs'])`,
      // `fs.open(file, 'a')`, and flags as numbers
      'CallExpression[callee.property.name=/^open(Sync)?$/][arguments.1.value=/[wa+]/]',
      'Identifier[name=/^O_(CREAT|WRONLY|RDWR|APPEND|TRUNC)$/]',
    ].map((selector) => ({ selector, message: MESSAGE })),
  ]),
};

export default defineConfig(
  {
    ignores: [
      'dist/',
      '.cache/',
      'test-results/',
      'test/runtime/editor/',
      'test/runtime/floor-editor/',
      '**/*.cjs',
      '**/*.js',
    ],
  },
  {
    files: ['**/*.ts', '**/*.mjs'],
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    languageOptions: { parser: tseslint.parser },
    rules: {
      // A finding is mended, not hidden.
      'no-warning-comments': ['error', { terms: ['eslint-disable', 'oxlint-disable'], location: 'anywhere' }],
    },
  },
  {
    files: ['{src,test}/**/*.ts'],
    // Sample data of the sandbox has fields of these names.
    ignores: ['test/unit/sandbox/actions/execute.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SYNTAX] },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { jsdoc },
    rules: {
      // What editors show on hover.
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { ClassDeclaration: true },
          checkConstructors: false,
          enableFixer: false,
          exemptOverloadedImplementations: true,
        },
      ],
      'jsdoc/match-description': [
        'error',
        {
          message: 'Say what the Promise rejects with, or that it never rejects.',
          matchDescription: '[^]*[Rr]ejects[^]*',
          contexts: [
            'ExportNamedDeclaration > FunctionDeclaration:matches([async=true], [returnType.typeAnnotation.typeName.name=Promise])',
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ENGLISH.map((files) => `src/${files}`),
    plugins: { 'smart-objects': { rules: { 'untranslated-text': untranslatedText } } },
    rules: { 'smart-objects/untranslated-text': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    rules: sourceSyntax,
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/model/files/write-file.ts', 'src/ui/save-file.ts'],
    rules: {
      ...fileWrites,
      'no-restricted-syntax': [
        'error',
        ...[sourceSyntax, fileWrites].flatMap(({ 'no-restricted-syntax': rule }) => rule.slice(1)),
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'Object',
          property: 'assign',
          message: 'Assign the fields one by one: the types of Object.assign accept fields that do not exist.',
        },
      ],
    },
  },
);
