// A rule of ESLint: no text for users is outside of messages, so all of it can be translated.

/** @typedef {ReturnType<import('eslint').SourceCode['getAncestors']>[number]} Node */

/** Names, which are the same in every language, and values of stored files. */
const NAMES = new Set([
  'Authorization',
  'does not exist any more',
  'Local Sandbox',
  'Smart Objects',
  'Smart Objects: {}',
  'POST auth.refreshPath',
]);

/** Two words, a word beside a placeholder, or a capitalized word. Identifiers of several words have hyphens. */
const TEXT = /[A-Za-z]{2} \(?[A-Za-z]{2}|\} [a-z]{3}|^[A-Z][a-z]+(?:…|:|\.)?$/;

/** Calls whose literals are messages already, lines of the log or texts for language models. */
const NOT_SHOWN = /^l10n\.t$|^stored$|^ToolInputError$|\blog(?:\(\))?\.(?:debug|info|warn|error)$/;

const MARKUP = /^<[a-z{]/;

/**
 * Whether a literal is only compared, `event.key === 'Enter'`, `case 'Escape':`, or a list of names,
 * `'table td th'.split(' ')`, `class: 'row muted'`.
 * @param {Node | undefined} parent of the literal
 */
function isName(parent) {
  if (parent === undefined) return false;
  if (parent.type === 'BinaryExpression') return /^[!=]==$/.test(parent.operator);
  if (parent.type === 'Property') return parent.key.type === 'Identifier' && parent.key.name === 'class';
  if (parent.type === 'MemberExpression')
    return parent.property.type === 'Identifier' && parent.property.name === 'split';
  return parent.type === 'SwitchCase';
}

/** @type {import('eslint').Rule.RuleModule} */
export const untranslatedText = {
  meta: { messages: { found: 'Text for users is a message: l10n.t(…).' }, schema: [] },
  create(context) {
    /** @type {(node: import('eslint').Rule.Node, text: string) => void} */
    const check = (node, text) => {
      if (!TEXT.test(text) || NAMES.has(text) || MARKUP.test(text)) return;
      const ancestors = context.sourceCode.getAncestors(node);
      const isNotShown = ancestors.some(
        (outer) =>
          (outer.type === 'CallExpression' || outer.type === 'NewExpression') &&
          NOT_SHOWN.test(context.sourceCode.getText(outer.callee)),
      );
      if (!isNotShown && !isName(ancestors.at(-1))) context.report({ node, messageId: 'found' });
    };
    return {
      Literal: (node) => {
        if (typeof node.value === 'string') check(node, node.value);
      },
      // With `{}` for its expressions.
      TemplateLiteral: (node) => {
        check(node, node.quasis.map(({ value }) => value.cooked ?? '').join('{}'));
      },
    };
  },
};
