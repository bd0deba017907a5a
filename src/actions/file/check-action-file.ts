/** Static checks of an action file, with fixes. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { insertMembers, removeMembers, type Edit } from './json-edits.ts';
import { getMember, getNumberText, getProperty, getSpan, type ActionEntry, type ActionFile } from './action-file.ts';
import { detectCredential } from './detect-credential.ts';
import { isPlaceholder } from '../../model/text/placeholder.ts';
import { actionKinds, getActionKind, type ActionField, formatSampleAction } from './action-kinds.ts';
import { suggest } from './suggest.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { variableKinds } from '../../model/text/variables.ts';
import { type Fix, type Finding, Findings, MAX_FINDINGS } from './findings.ts';
import { formatList } from '../../platform/text/localization.ts';

/**
 * Returns at most `MAX_FINDINGS` findings, in no particular order. `secrets`: values that the file should not contain.
 * Never throws.
 */
export function checkActionFile(file: ActionFile, secrets: readonly string[] = []): readonly Finding[] {
  const findings = new Findings();
  for (const problem of file.problems)
    findings.add(
      problem,
      problem.code,
      'error',
      problem.message,
      problem.code === 'noAction' ? getNoActionFixes(file) : [],
    );
  if (file.root === undefined) return findings.list;
  // First, so that other findings cannot fill the list before.
  checkCredentials(file.root, secrets, findings);
  if (file.action !== undefined) checkAction(file, file.action, findings);
  checkStrings(file.root, findings);
  return findings.list;
}

function getNoActionFixes(file: ActionFile): readonly Fix[] {
  if (file.root === undefined) return [];
  // `{"mint": {…}}` without `action` around it.
  const bare = file.root.children?.find(
    (property) =>
      getActionKind(String(property.children?.[0]?.value)) !== undefined && property.children?.[1] !== undefined,
  );
  if (bare !== undefined) {
    return [
      {
        title: l10n.t('Wrap in {0}', '`action`'),
        preferred: true,
        edits: () => [
          { offset: bare.offset, length: 0, text: '"action": { ' },
          { offset: bare.offset + bare.length, length: 0, text: ' }' },
        ],
      },
    ];
  }
  const comma = (file.root.children?.length ?? 0) > 0 ? ',' : '';
  const offset = file.root.offset + 1;
  return [
    {
      title: l10n.t('Add {0}', '`action`'),
      preferred: true,
      edits: () => [{ offset, length: 0, text: `\n  "action": {}${comma}` }],
    },
  ];
}

function checkAction(file: ActionFile, action: Node, findings: Findings): void {
  if (action.type !== 'object') {
    findings.add(
      getSpan(action),
      'actionShape',
      'warning',
      l10n.t('`action` is normally an object with one key, the kind of action'),
    );
    return;
  }
  const { entries } = file;
  if (entries.length === 0) {
    const examples = ['mint', 'transfer', 'update'];
    findings.add(
      getSpan(action),
      'noKind',
      'warning',
      l10n.t(
        'Specify a kind of action, for example {0}',
        formatList(
          examples.map((kind) => `\`${kind}\``),
          'disjunction',
        ),
      ),
      examples.map((kind) => ({
        title: l10n.t('Add {0}', `\`${kind}\``),
        edits: () => insertMembers(file.text, action, formatSampleAction(kind).slice(2, -2)),
      })),
    );
  }
  if (entries.length > 1) {
    const names = formatList(
      entries.slice(0, 5).map(({ kind }) => toPlainText(kind, 40)),
      'unit',
    );
    for (const entry of entries.slice(1, MAX_FINDINGS)) {
      findings.add(
        getSpan(entry.key),
        'twoKinds',
        'warning',
        l10n.t('The action has more than one kind ({0}). The platform executes only one of them', names),
        entries.slice(0, 5).map((keep) => ({
          title: l10n.t('Keep only {0}', `\`${toPlainText(keep.kind, 40)}\``),
          edits: () =>
            removeMembers(
              file.text,
              action,
              (action.children ?? []).filter((property) => property !== keep.property),
            ),
        })),
      );
    }
  }
  for (const entry of entries.slice(0, 20)) checkEntry(file, entry, findings);
}

function checkEntry(file: ActionFile, entry: ActionEntry, findings: Findings): void {
  const kind = getActionKind(entry.kind);
  if (kind === undefined) {
    // Some deployments write the kind as a value; the contract shows no shape.
    const suggestion = suggest(
      entry.kind,
      actionKinds.map(({ name }) => name),
    );
    findings.add(
      getSpan(entry.key),
      'unknownKind',
      'information',
      suggestion === undefined
        ? l10n.t('Unknown kind of action')
        : l10n.t('Unknown kind of action. Did you mean {0}?', suggestion),
      suggestion === undefined
        ? []
        : [
            {
              title: l10n.t('Change to {0}', `\`${suggestion}\``),
              preferred: true,
              edits: () => [{ ...getSpan(entry.key), text: JSON.stringify(suggestion) }],
            },
          ],
    );
    return;
  }
  const { value } = entry;
  if (value === undefined) return;
  if (value.type !== 'object') {
    findings.add(
      getSpan(value),
      'fieldsShape',
      'warning',
      l10n.t('The value of {0} is normally an object', entry.kind),
    );
    return;
  }
  const wantsObjectId = kind.fields.some(({ name }) => name === 'id');
  checkFieldName(value, 'object_id', 'id', wantsObjectId, findings);
  checkFieldName(value, 'objectId', 'id', wantsObjectId, findings);
  checkFieldName(
    value,
    'templateId',
    'template_id',
    kind.fields.some(({ name }) => name === 'template_id'),
    findings,
  );
  if (entry.kind === 'mint' || entry.kind === 'update') checkDataPlacement(file, entry.kind, value, findings);
  if (entry.kind === 'mint') checkCount(file, value, findings);
  if (entry.kind === 'drop') checkCoordinates(file, value, findings);
  checkAddresses(kind.fields, value, findings);
  for (const field of kind.fields) {
    const written = getProperty(value, field.name);
    if (written?.value === '' && field.ids !== undefined && field.optional !== true)
      findings.add(
        getSpan(written),
        'emptyField',
        'error',
        l10n.t('{0} is empty. Enter {1}', `\`${field.name}\``, field.about),
      );
    if (field.optional === true || written !== undefined) continue;
    if (field.name === 'id' && (getMember(value, 'object_id') ?? getMember(value, 'objectId')) !== undefined) continue;
    if (field.name === 'template_id' && getMember(value, 'templateId') !== undefined) continue;
    findings.add(
      getSpan(entry.key),
      'missingField',
      'information',
      l10n.t('{0} normally has {1}: {2}', entry.kind, `\`${field.name}\``, field.about),
      [
        {
          title: l10n.t('Add {0}', `\`${field.name}\``),
          preferred: true,
          edits: () => insertMembers(file.text, value, `${JSON.stringify(field.name)}: ${field.sample}`),
        },
      ],
      field.name,
    );
  }
}

function checkFieldName(value: Node, wrong: string, right: string, applies: boolean, findings: Findings): void {
  const member = getMember(value, wrong);
  const key = member?.children?.[0];
  if (!applies || key === undefined) return;
  const fixes = getProperty(value, right) === undefined;
  const message = l10n.t('The name of this field is {0}, not {1}', `\`${right}\``, `\`${wrong}\``);
  findings.add(getSpan(key), 'wrongName', 'warning', message, [
    ...(fixes
      ? [
          {
            title: l10n.t('Rename to {0}', `\`${right}\``),
            preferred: true,
            edits: () => [{ ...getSpan(key), text: JSON.stringify(right) }],
          },
        ]
      : []),
  ]);
}

function checkDataPlacement(file: ActionFile, kind: string, value: Node, findings: Findings): void {
  const data = getProperty(value, 'data');
  const outside = ['custom', 'metadata'].flatMap((name) => getMember(value, name) ?? []);
  // A field that `data` has already would be lost or repeated.
  const movable = outside.filter(
    (member) =>
      data === undefined ||
      (data.type === 'object' && getMember(data, String(member.children?.[0]?.value)) === undefined),
  );
  const [first] = movable;
  const edits = (): readonly Edit[] => {
    const members = movable.map(({ offset, length }) => file.text.slice(offset, offset + length)).join(', ');
    if (data !== undefined)
      return [...insertMembers(file.text, data, members), ...removeMembers(file.text, value, movable)];
    if (first === undefined) return [];
    return [
      { ...getSpan(first), text: `"data": { ${members} }` },
      ...removeMembers(file.text, value, movable.slice(1)),
    ];
  };
  for (const member of outside) {
    const key = member.children?.[0];
    if (key === undefined) continue;
    findings.add(
      getSpan(key),
      'outsideData',
      'warning',
      l10n.t(
        '{0} directly in {1} is ignored by the platform. Move it into {2}',
        `\`${String(key.value)}\``,
        kind,
        '`data`',
      ),
      movable.includes(member) ? [{ title: l10n.t('Move into {0}', '`data`'), preferred: true, edits }] : [],
    );
  }
}

function checkCount(file: ActionFile, value: Node, findings: Findings): void {
  const count = getProperty(value, 'num');
  if (count === undefined) return;
  const text = getNumberText(file, value, 'num');
  const one: Fix[] = [
    { title: l10n.t('Change to {0}', 1), preferred: true, edits: () => [{ ...getSpan(count), text: '1' }] },
  ];
  if (text === undefined) {
    // A variable is filled in later.
    if (count.type === 'string' && String(count.value).includes('${')) return;
    findings.add(getSpan(count), 'count', 'warning', l10n.t('{0} is normally a whole number', '`num`'), one);
  } else if (Number(text) <= 0 || !Number.isInteger(Number(text))) {
    findings.add(
      getSpan(count),
      'count',
      'warning',
      l10n.t('No objects are minted: {0} must be a whole number greater than 0', '`num`'),
      one,
    );
  }
}

function checkCoordinates(file: ActionFile, value: Node, findings: Findings): void {
  for (const [name, max] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const node = getProperty(value, name);
    const text = getNumberText(file, value, name);
    if (node !== undefined && text !== undefined && Math.abs(Number(text)) > max)
      findings.add(
        getSpan(node),
        'place',
        'warning',
        l10n.t('{0} must be between {1} and {2} degrees', `\`${name}\``, -max, max),
      );
  }
}

/** A credential in a file is copied to repositories and to the history of runs. */
function checkCredentials(root: Node, secrets: readonly string[], findings: Findings): void {
  const walk = (node: Node, name?: string): void => {
    if (findings.isFull) return;
    if (node.type === 'property') {
      const [key, value] = node.children ?? [];
      const isSignature = node.parent === root && key?.value === 'signature';
      if (value !== undefined && !isSignature) walk(value, String(key?.value));
      return;
    }
    if (node.type !== 'string') {
      for (const child of node.children ?? []) walk(child, name);
      return;
    }
    const description = detectCredential(String(node.value), name, secrets);
    if (description === undefined) return;
    const variable = `\${secret:${/^[\w-]{1,40}$/.exec(name ?? '')?.[0] ?? 'NAME'}}`;
    findings.add(
      getSpan(node),
      'credential',
      'warning',
      l10n.t(
        '{0}. It is sent with the file. Use {1} to keep the value in VS Code’s secret storage',
        description,
        variable,
      ),
      [
        {
          title: l10n.t('Replace with {0}', variable),
          edits: () => [{ ...getSpan(node), text: JSON.stringify(variable) }],
        },
      ],
    );
  };
  walk(root);
}

/** Matches e-mail addresses roughly: enough to distinguish them from account addresses. */
export const EMAIL = /^[^\s@"<>]{1,100}@[^\s@"<>]{1,100}\.[A-Za-z]{2,24}$/;

function checkAddresses(fields: readonly ActionField[], value: Node, findings: Findings): void {
  for (const { name, ids } of fields) {
    const node = ids === 'wallets' ? getProperty(value, name) : undefined;
    if (typeof node?.value === 'string' && EMAIL.test(node.value.trim()))
      findings.add(
        getSpan(node),
        'email',
        'information',
        l10n.t('{0} is normally an account address or a wallet ID, not an email address', `\`${name}\``),
      );
  }
}

const VARIABLE = /(?<!\$)\$\{([^{}]{0,300})\}/g;

function checkStrings(root: Node, findings: Findings): void {
  const walk = (node: Node): void => {
    if (findings.isFull) return;
    if (node.type === 'string') checkString(node, findings);
    else if (node.type === 'property') {
      const value = node.children?.[1];
      if (value !== undefined && node.children?.[0]?.value !== '$schema') walk(value);
    } else node.children?.forEach(walk);
  };
  walk(root);
}

function checkString(node: Node, findings: Findings): void {
  const value = String(node.value);
  if (isPlaceholder(value))
    findings.add(
      getSpan(node),
      'placeholder',
      'warning',
      l10n.t('This is a placeholder. Replace it with the actual value'),
    );
  for (const [, inner = ''] of value.slice(0, 10_000).matchAll(VARIABLE)) {
    const colon = inner.indexOf(':');
    const kind = colon < 0 ? inner : inner.slice(0, colon);
    if (variableKinds.some((known) => known === kind) && colon >= 0 && inner.slice(colon + 1).trim() !== '') continue;
    findings.add(
      getSpan(node),
      'variable',
      'information',
      l10n.t(
        '{0} is not a variable and is sent unchanged. Variables: {1}',
        `\${${toPlainText(inner, 40)}}`,
        formatList(
          variableKinds.map((known) => `\${${known}:…}`),
          'unit',
        ),
      ),
    );
  }
}
