/** Messages of the sources and of the manifest, and their translations. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import * as z from 'zod/mini';
import { sourceSyntax } from '../../.config/eslint.config.mjs';
import { untranslatedText } from '../../.config/untranslated-text.mjs';
import { pseudoLocalize } from '../../.config/pseudo-localize.mjs';
import { listMissing, readEnglish, readTranslations } from '../../.config/translation-files.mjs';
import { findReplacements, updateTranslations } from '../../.config/update-translations.mjs';
import { readManifestTextKeys } from '../support/manifest.ts';
import { findArgumentProblems, findArgumentProblemsIn } from '../support/message-arguments.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { files } = readTranslations();

function getPlaceholders(form: string): readonly string[] {
  return [...new Set(form.match(/\{\w+\}/g))].sort();
}

/** Returns the number of plural forms of a language. */
function countPluralForms(language: string): number {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
}

/** Returns the number of plural forms that a language uses for small whole numbers; some are only for fractions or millions. */
function countUsualPluralForms(language: string): number {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 201 }, (_, count) => rules.select(count))).size;
}

/** What is wrong with a translation. */
function findProblem(english: string, translated: string, language: string): string | undefined {
  const forms = translated.split('|');
  const originals = english.split('|');
  const [original = ''] = originals;
  const isPlural = originals.length > 1;
  if (translated.trim() === '') return 'empty';
  if (isPlural ? forms.length > countPluralForms(language) : forms.length > 1) return 'too many plural forms';
  if (isPlural && forms.length < countUsualPluralForms(language)) return 'too few plural forms';
  const expected = getPlaceholders(original).join();
  return forms.some((form) => getPlaceholders(form).join() !== expected) ? 'other placeholders' : undefined;
}

/** Fields of package.json that VS Code shows. */
const MANIFEST_TEXT =
  /^(?:title|shortTitle|category|label|contextualTitle|contents|altText|displayName|\w*[dD]escriptions?|\w*(?:ErrorMessage|DeprecationMessage)|errorMessage|deprecationMessage|enumItemLabels)$/;
/** Fields that only language models or the Marketplace read. */
const NOT_IN_EDITOR = /^(?:badges|inputSchema|modelDescription)$/;
const PRODUCT_NAMES = ['Smart Objects', 'Smart Object Explorer'];

interface ManifestText {
  /** `contributes.commands.0.title` */
  readonly place: string;
  readonly text: string;
}

/** The texts of package.json that users see. */
function findManifestTexts(value: unknown, place = ''): readonly ManifestText[] {
  const name = place.replace(/(?:\.\d+)+$/, '').replace(/^.*\./, '');
  if (NOT_IN_EDITOR.test(name)) return [];
  if (typeof value === 'string') {
    const isViewName = /^contributes\.views\.\w+\.\d+\.name$/.test(place);
    return MANIFEST_TEXT.test(name) || isViewName ? [{ place, text: value }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    findManifestTexts(entry, place === '' ? key : `${place}.${key}`),
  );
}

/** Titles of commands of VS Code 1.108 in its language packs, by English title and language. */
const VSCODE_TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Manage Workspace Trust': {
    de: 'Arbeitsbereichsvertrauensstellung verwalten',
    es: 'Administrar confianza del área de trabajo',
    fr: 'Gérer la confiance en l’espace de travail',
    it: 'Gestisci attendibilità dell’area di lavoro',
    'pt-br': 'Gerenciar a Confiança do Workspace',
    ru: 'Управление доверием рабочей области',
  },
  'Run All Tests': {
    de: 'Alle Tests ausführen',
    es: 'Ejecutar todas las pruebas',
    fr: 'Exécuter tous les tests',
    it: 'Esegui tutti i test',
    'pt-br': 'Executar Todos os Testes',
    ru: 'Запуск всех тестов',
  },
};

suite('translations', () => {
  // Missing ones do not fail: `npm run l10n -- --check` does, before a release.
  suiteTeardown(() => {
    for (const line of listMissing(files)) console.log(line);
  });

  test('the texts of package.json are those of package.nls.json', () => {
    const keys = new Set(readManifestTextKeys());
    assert.deepEqual([...keys].sort(), Object.keys(readEnglish().titles).sort());
  });

  test('titles and descriptions of package.json are in package.nls.json', () => {
    const texts = findManifestTexts(JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
    assert.ok(texts.length > 200, String(texts.length));
    assert.deepEqual(
      texts.filter(({ text }) => !/^(?:%.+%|\$\{\w+\})$/.test(text) && !PRODUCT_NAMES.includes(text)),
      [],
    );
  });

  test('texts of every part of a manifest are found', () => {
    const found = findManifestTexts({
      name: 'id',
      description: 'a',
      contributes: {
        views: { panel: [{ id: 'x', name: 'b', when: 'c d' }] },
        submenus: [{ id: 'x', label: 'c' }],
        configuration: {
          properties: { title: { type: 'string', enum: ['x y'], enumDescriptions: ['d', 'e'], default: 'a title' } },
        },
        languageModelTools: [{ name: 'x', modelDescription: 'For models', inputSchema: { description: 'For models' } }],
        walkthroughs: [{ steps: [{ media: { image: 'x', altText: 'f' } }] }],
      },
    });
    assert.deepEqual(
      found.map(({ text }) => text),
      ['a', 'b', 'c', 'd', 'e', 'f'],
    );
  });

  test('text for users that is outside of messages is found, and messages that are no literals', () => {
    const source = `
      label('Open');
      throw new Error(\`No \${name} found\`);
      l10n.t(name);
      stored(name);
      stored('Two words');
      const id = 'some-name';
      l10n.t('Two words');
      if (key === 'Enter') return { class: 'row muted' };
      log.info('One line');`;
    const found = new Linter().verify(source, [
      { languageOptions: { parser: tseslint.parser } },
      { plugins: { own: { rules: { text: untranslatedText } } }, rules: { 'own/text': 'error', ...sourceSyntax } },
    ]);
    assert.deepEqual(
      found.map(({ line }) => line),
      [2, 3, 4, 5],
    );
  });

  test('messages have an argument for each placeholder, and no others', () => {
    assert.deepEqual(findArgumentProblems(), []);
  });

  test('missing and surplus arguments of messages are found', () => {
    const right = [
      "l10n.t('Open');",
      "l10n.t('{1} of {0}', a, b);",
      "l10n.t({ message: 'Open {0}', args: [a], comment: 'A file' });",
      "stored({ message: 'failed', comment: 'A status' });",
      "stored('{0} failed', stored('{0} of {1}', a, b));",
      "stored('{1} row|{1} rows', n, a);",
      "pluralize(n, l10n.t('{0} row|{0} rows'));",
      "pluralize(n, isCell ? l10n.t('{1} cell|{1} cells') : l10n.t('{0} row of {1}|{0} rows of {1}'), a);",
      "const rows = l10n.t('{0} row|{0} rows'); pluralize(n, rows);",
      "const rows = { all: l10n.t('{0} row|{0} rows') }; pluralize(n, rows[name]);",
    ];
    assert.deepEqual(findArgumentProblemsIn('a.ts', right.join('\n')), []);
    const wrong = [
      "l10n.t('Open {0}')",
      "l10n.t('Open', a)",
      "l10n.t('Open {0}', a, b)",
      "l10n.t('Open {1}', a)",
      "l10n.t('{0} of {1}', ...values)",
      "l10n.t({ message: 'Open {0}', args: [], comment: 'A file' })",
      "stored('Open {0}')",
      "stored('Open {0}', ...values)",
      "stored('{1} row|{1} rows', n)",
      "l10n.t('{0} row|{0} rows', n)",
      "pluralize(n, l10n.t('{0} row|{0} rows'), a)",
      "pluralize(n, l10n.t('{0} row of {1}|{0} rows of {1}'))",
      "pluralize(n, l10n.t('{0} row|{0} rows of {1}', a))",
      'pluralize(n, format(n))',
    ];
    for (const text of wrong) assert.notDeepEqual(findArgumentProblemsIn('a.ts', text), [], text);
  });

  test('every form of a plural has the same placeholders', () => {
    const plurals = Object.values(readEnglish().messages).filter((message) => message.includes('|'));
    const wrong = plurals.filter((message) => findProblem(message, message, 'en') !== undefined);
    assert.deepEqual(wrong, []);
  });

  test('translations are in files that VS Code finds where names of files have cases: pt-br, not pt-BR', () => {
    const languages = [...new Set(files.map(({ language }) => language))].sort();
    assert.deepEqual(languages, ['de', 'es', 'fr', 'it', 'pt-br', 'ru']);
  });

  for (const { file, language, english, translations } of files)
    test(`${file} has the same placeholders`, () => {
      const wrong = Object.entries(translations).flatMap(([key, translated]) => {
        const problem = findProblem(english[key] ?? '', translated, language);
        return problem === undefined ? [] : [`${key}: ${problem}`];
      });
      assert.deepEqual(wrong, []);
    });

  test('commands of VS Code are named by its own titles', () => {
    const wrong = files.flatMap(({ language, english, translations }) =>
      Object.entries(VSCODE_TITLES).flatMap(([title, { [language]: translated = '' }]) =>
        Object.entries(translations).filter(
          ([key, text]) => english[key]?.includes(title) && !text.includes(translated),
        ),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  test('a translation of a changed text is outdated until it is translated anew', () => {
    const before = {
      messages: { 'a.ts': ['Delete', 'Same'], 'b.ts': ['Copy the row', 'Empty'] },
      titles: { a: 'A', b: 'B' },
    };
    const after = {
      messages: { 'a.ts': ['Remove', 'Same'], 'b.ts': ['Copy row', 'New', 'Other'] },
      titles: { a: 'A', b: 'C' },
    };
    const replacements = findReplacements(before, after);
    assert.deepEqual(Object.fromEntries(replacements), { b: 'b', Delete: 'Remove', 'Copy the row': 'Copy row' });
    const messages = ['Copy row', 'New', 'Other', 'Remove', 'Same'];
    const translations = { Delete: 'Löschen', Same: 'Gleich', 'Copy the row': 'Zeile kopieren', Empty: 'Leer' };
    const updated = updateTranslations({ translations, outdated: {} }, messages, replacements);
    assert.deepEqual(updated, {
      translations: { Same: 'Gleich' },
      outdated: { 'Copy row': 'Zeile kopieren', Remove: 'Löschen' },
      removed: [['Empty', 'Leer']],
      missing: ['Copy row', 'New', 'Other', 'Remove'],
    });
    const titles = updateTranslations({ translations: { a: 'a', b: 'b' }, outdated: {} }, ['a', 'b'], replacements);
    assert.deepEqual([titles.translations, titles.outdated], [{ a: 'a' }, { b: 'b' }]);
    const translated = { translations: { ...updated.translations, Remove: 'Entfernen' }, outdated: updated.outdated };
    const next = updateTranslations(translated, messages, new Map());
    assert.deepEqual([next.translations, next.outdated], [translated.translations, { 'Copy row': 'Zeile kopieren' }]);
  });

  test('problems of a translation are found', () => {
    const problems = [
      findProblem('{0} row|{0} rows', '{0} строка|{0} строки|{0} строк', 'ru'),
      findProblem('{0} row|{0} rows', '{0} строка|{0} строки', 'ru'),
      findProblem('{0} row|{0} rows', '{0} ligne|{0} lignes', 'fr'),
      findProblem('{0} row|{0} rows', '{0} Zeile', 'de'),
      findProblem('{0} row|{0} rows', '{0} Zeile|{0} Zeilen|Zeilen', 'de'),
      findProblem('{0} row|{0} rows', '{0} Zeile|Zeilen', 'de'),
      findProblem('Open {0}', '{0} | öffnen', 'de'),
      findProblem('Open {0}', '{1} öffnen', 'de'),
      findProblem('Open', '', 'de'),
    ];
    assert.deepEqual(problems, [
      undefined,
      'too few plural forms',
      undefined,
      'too few plural forms',
      'too many plural forms',
      'other placeholders',
      'too many plural forms',
      'other placeholders',
      'empty',
    ]);
  });

  test('the pseudo-language keeps placeholders, icons and links', () => {
    const message = '$(warning) Open [{0}](command:a.b) with `code`';
    const translated = pseudoLocalize({ key: message, plural: '{0} row|{0} rows' });
    assert.match(translated['key'] ?? '', /^\[\$\(warning\) Óþéñ \[\{0\}\]\(command:a\.b\) ŵíťĥ `code`(?: ~)+\]$/);
    assert.equal(findProblem('{0} row|{0} rows', translated['plural'] ?? '', 'en'), undefined);
  });

  test('every glossary translates the same terms', () => {
    const readTerms = (file: string): readonly string[] =>
      Object.keys(
        z.parse(z.record(z.string(), z.string()), JSON.parse(fs.readFileSync(path.join(ROOT, `l10n/${file}`), 'utf8'))),
      ).sort();
    const glossaries = fs.readdirSync(path.join(ROOT, 'l10n')).filter((file) => /^glossary\.[\w-]+\.json$/.test(file));
    const terms = readTerms('glossary.en.json');
    for (const file of glossaries) assert.deepEqual(readTerms(file), terms, file);
  });
});
