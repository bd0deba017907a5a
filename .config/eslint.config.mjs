// The rules of the code: typescript-eslint, strict and type-checked, for sources and tests alike.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const METHODS = 'writeFile|appendFile|createWriteStream|copyFile|cp|write|truncate';
const MESSAGE = 'Files are written by src/model/files/write-file.ts and src/ui/save-file.ts, which follow no link.';

/**
 * Keeps modules from writing files themselves.
 * @type {import('eslint').Linter.RulesRecord}
 */
export const fileWrites = {
  'no-restricted-imports': [
    'error',
    {
      paths: ['fs', 'node:fs', 'fs/promises', 'node:fs/promises'].map((name) => ({
        name,
        importNames: METHODS.split('|').flatMap((method) => [method, `${method}Sync`]),
        message: MESSAGE,
      })),
    },
  ],
  'no-restricted-syntax': [
    'error',
    ...[
      // `fs.writeFile`, `vscode.workspace.fs.writeFile`
      `MemberExpression[property.name=/^(${METHODS})(Sync)?$/]:matches([object.name='fs'], [object.property.name='fs'])`,
      // `fs.open(file, 'a')`, and flags as numbers
      'CallExpression[callee.property.name=/^open(Sync)?$/][arguments.1.value=/[wa+]/]',
      'Identifier[name=/^O_(CREAT|WRONLY|RDWR|APPEND|TRUNC)$/]',
    ].map((selector) => ({ selector, message: MESSAGE })),
  ],
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
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}/..` } },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-ignore': true, 'ts-expect-error': true, 'ts-nocheck': true, 'ts-check': true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/model/files/write-file.ts', 'src/ui/save-file.ts'],
    rules: fileWrites,
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
  {
    files: ['test/**/*.ts'],
    // `test(...)` and `suite(...)` of node:test look like forgotten promises; mocha's do not, so the rule stays on.
    rules: { '@typescript-eslint/no-empty-function': 'off' },
  },
);
