/** What looks wrong in an action file, found without asking the platform, and how to put it right. Pure: hints as data. */
import type { Node } from 'jsonc-parser';
import { insertMembers, removeMembers, type Edit } from './edits.ts';
import {
  memberOf,
  numberAt,
  propertyOf,
  spanOf,
  stringAt,
  type ActionEntry,
  type ActionFile,
  type Span,
} from './file.ts';
import { credentialIn } from './credentials.ts';
import { actionKinds, kindOf, type Field } from './kinds.ts';
import { nearest } from './nearest.ts';
import { plainText } from '../platform/plain-text.ts';
import { variableKinds } from './variables.ts';

export interface Fix {
  readonly title: string;
  /** computed when the fix is applied: an edit can be as long as the file */
  readonly edits: () => readonly Edit[];
  readonly preferred?: boolean;
}

/** `error` alone blocks sending. */
export type Severity = 'error' | 'warning' | 'information';

export interface Finding extends Span {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** Findings that are reported of one file. */
export const MAX_FINDINGS = 200;

/** Collects findings up to `MAX_FINDINGS`. */
export class Findings {
  readonly list: Finding[] = [];

  /** True once no more are taken: whatever looks for more can stop. */
  get isFull(): boolean {
    return this.list.length >= MAX_FINDINGS;
  }

  /** Adds one, unless the list is full. An empty span becomes one character long. */
  add({ offset, length }: Span, code: string, severity: Severity, message: string, fixes: readonly Fix[] = []): void {
    if (!this.isFull) this.list.push({ code, severity, message, offset, length: Math.max(length, 1), fixes });
  }
}

/**
 * At most `MAX_FINDINGS`, in no particular order. `secrets` are values that the file should not hold. Never throws,
 * whatever the file holds.
 */
export function checkFile(file: ActionFile, secrets: readonly string[] = []): readonly Finding[] {
  const findings = new Findings();
  for (const problem of file.problems)
    findings.add(
      problem,
      problem.code,
      'error',
      problem.message,
      problem.code === 'noAction' ? noActionFixes(file) : [],
    );
  if (file.root === undefined) return findings.list;
  // Before all others: no number of them crowds these out.
  checkCredentials(file.root, secrets, findings);
  if (file.action !== undefined) checkAction(file, file.action, findings);
  checkStrings(file.root, findings);
  return findings.list;
}

function noActionFixes(file: ActionFile): readonly Fix[] {
  if (file.root === undefined) return [];
  // `{"mint": {…}}`: the kind stands where `action` should.
  const bare = file.root.children?.find(
    (property) => kindOf(String(property.children?.[0]?.value)) !== undefined && property.children?.[1] !== undefined,
  );
  if (bare !== undefined) {
    return [
      {
        title: 'Wrap it in `action`',
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
      title: 'Add `action`',
      preferred: true,
      edits: () => [{ offset, length: 0, text: `\n  "action": {}${comma}` }],
    },
  ];
}

function checkAction(file: ActionFile, action: Node, findings: Findings): void {
  if (action.type !== 'object') {
    findings.add(
      spanOf(action),
      'actionShape',
      'warning',
      '`action` is normally an object with one key: the kind of action',
    );
    return;
  }
  const { entries } = file;
  if (entries.length === 0) {
    findings.add(spanOf(action), 'noKind', 'warning', 'No kind of action: `mint`, `transfer`, `update` and so on', [
      ...['mint', 'transfer', 'update'].map((kind) => ({
        title: `Add \`${kind}\``,
        edits: () => insertMembers(file.text, action, sampleAction(kind).slice(2, -2)),
      })),
    ]);
  }
  if (entries.length > 1) {
    const names = entries
      .slice(0, 5)
      .map(({ kind }) => plainText(kind, 40))
      .join(', ');
    for (const entry of entries.slice(1, MAX_FINDINGS)) {
      findings.add(
        spanOf(entry.key),
        'twoKinds',
        'warning',
        `Two kinds in one action (${names}): deployments execute one, and nobody says which`,
        entries.slice(0, 5).map((keep) => ({
          title: `Keep only \`${plainText(keep.kind, 40)}\``,
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
  const kind = kindOf(entry.kind);
  if (kind === undefined) {
    // Some deployments write the kind as a value; the contract shows no shape.
    const near = nearest(
      entry.kind,
      actionKinds.map(({ name }) => name),
    );
    findings.add(
      spanOf(entry.key),
      'unknownKind',
      'information',
      near === undefined
        ? "Not one of the contract's kinds of action"
        : `Not one of the contract's kinds of action. Did you mean ${near}?`,
      near === undefined
        ? []
        : [
            {
              title: `Change to \`${near}\``,
              preferred: true,
              edits: () => [{ ...spanOf(entry.key), text: JSON.stringify(near) }],
            },
          ],
    );
    return;
  }
  const { value } = entry;
  if (value === undefined) return;
  if (value.type !== 'object') {
    findings.add(spanOf(value), 'fieldsShape', 'warning', `The fields of ${entry.kind} are normally an object`);
    return;
  }
  const wantsObjectId = kind.fields.some(({ name }) => name === 'id');
  renamed(value, 'object_id', 'id', wantsObjectId, findings);
  renamed(value, 'objectId', 'id', wantsObjectId, findings);
  renamed(
    value,
    'templateId',
    'template_id',
    kind.fields.some(({ name }) => name === 'template_id'),
    findings,
  );
  if (entry.kind === 'mint' || entry.kind === 'update') dataOutside(file, entry.kind, value, findings);
  if (entry.kind === 'mint') checkCount(file, value, findings);
  if (entry.kind === 'drop') checkPlace(file, value, findings);
  checkAddresses(kind.fields, value, findings);
  for (const field of kind.fields) {
    if (field.optional === true || propertyOf(value, field.name) !== undefined) continue;
    if (field.name === 'id' && (memberOf(value, 'object_id') ?? memberOf(value, 'objectId')) !== undefined) continue;
    if (field.name === 'template_id' && memberOf(value, 'templateId') !== undefined) continue;
    findings.add(
      spanOf(entry.key),
      'missingField',
      'information',
      `${entry.kind} normally has \`${field.name}\`: ${field.about}`,
      [
        {
          title: `Add \`${field.name}\``,
          preferred: true,
          edits: () => insertMembers(file.text, value, `${JSON.stringify(field.name)}: ${field.sample}`),
        },
      ],
    );
  }
}

function renamed(value: Node, wrong: string, right: string, applies: boolean, findings: Findings): void {
  const member = memberOf(value, wrong);
  const key = member?.children?.[0];
  if (!applies || key === undefined) return;
  const fixes = propertyOf(value, right) === undefined;
  findings.add(spanOf(key), 'wrongName', 'warning', `Deployments read \`${right}\` here, not \`${wrong}\``, [
    ...(fixes
      ? [
          {
            title: `Rename to \`${right}\``,
            preferred: true,
            edits: () => [{ ...spanOf(key), text: JSON.stringify(right) }],
          },
        ]
      : []),
  ]);
}

function dataOutside(file: ActionFile, kind: string, value: Node, findings: Findings): void {
  const data = propertyOf(value, 'data');
  const outside = ['custom', 'metadata'].flatMap((name) => memberOf(value, name) ?? []);
  // What `data` has already would be lost, or stand there twice.
  const movable = outside.filter(
    (member) =>
      data === undefined ||
      (data.type === 'object' && memberOf(data, String(member.children?.[0]?.value)) === undefined),
  );
  const [first] = movable;
  const edits = (): readonly Edit[] => {
    const inside = movable.map(({ offset, length }) => file.text.slice(offset, offset + length)).join(', ');
    if (data !== undefined)
      return [...insertMembers(file.text, data, inside), ...removeMembers(file.text, value, movable)];
    if (first === undefined) return [];
    return [{ ...spanOf(first), text: `"data": { ${inside} }` }, ...removeMembers(file.text, value, movable.slice(1))];
  };
  for (const member of outside) {
    const key = member.children?.[0];
    if (key === undefined) continue;
    findings.add(
      spanOf(key),
      'outsideData',
      'warning',
      `\`${String(key.value)}\` directly in ${kind} is silently dropped: it belongs in \`data\``,
      movable.includes(member) ? [{ title: 'Move into `data`', preferred: true, edits }] : [],
    );
  }
}

function checkCount(file: ActionFile, value: Node, findings: Findings): void {
  const count = propertyOf(value, 'num');
  if (count === undefined) return;
  const text = numberAt(file, value, 'num');
  const one: Fix[] = [{ title: 'Change to 1', preferred: true, edits: () => [{ ...spanOf(count), text: '1' }] }];
  if (text === undefined) {
    // A variable fills it in later.
    if (count.type === 'string' && String(count.value).includes('${')) return;
    findings.add(spanOf(count), 'count', 'warning', '`num` is normally a whole number', one);
  } else if (Number(text) <= 0 || !Number.isInteger(Number(text))) {
    findings.add(
      spanOf(count),
      'count',
      'warning',
      `Minting ${text} objects makes none: \`num\` is a whole number from 1`,
      one,
    );
  }
}

function checkPlace(file: ActionFile, value: Node, findings: Findings): void {
  for (const [name, most] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const node = propertyOf(value, name);
    const text = numberAt(file, value, name);
    if (node !== undefined && text !== undefined && Math.abs(Number(text)) > most)
      findings.add(
        spanOf(node),
        'place',
        'warning',
        `\`${name}\` lies between -${String(most)} and ${String(most)} degrees`,
      );
  }
}

/** A credential in a file ends up in a repository, in the history of runs and with whoever is sent the file. */
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
    const what = credentialIn(String(node.value), name, secrets);
    if (what === undefined) return;
    const variable = `\${secret:${/^[\w-]{1,40}$/.exec(name ?? '')?.[0] ?? 'NAME'}}`;
    findings.add(
      spanOf(node),
      'credential',
      'warning',
      `${what}, and is sent with the file: use ${variable}, whose value is kept in the secret store`,
      [{ title: `Replace with ${variable}`, edits: () => [{ ...spanOf(node), text: JSON.stringify(variable) }] }],
    );
  };
  walk(root);
}

/** A string that is an e-mail address, roughly: enough to tell it from an account. */
export const EMAIL = /^[^\s@"<>]{1,100}@[^\s@"<>]{1,100}\.[A-Za-z]{2,24}$/;

function checkAddresses(fields: readonly Field[], value: Node, findings: Findings): void {
  for (const { name, ids } of fields) {
    const node = ids === 'wallets' ? propertyOf(value, name) : undefined;
    if (typeof node?.value === 'string' && EMAIL.test(node.value.trim()))
      findings.add(
        spanOf(node),
        'email',
        'information',
        `\`${name}\` is normally an account address or a wallet ID; this is an e-mail address`,
      );
  }
}

const PLACEHOLDER =
  /^(?:REPLACE|CHANGE|INSERT|PUT|FILL|YOUR|MY)[\s_-]?(?:ME|WITH|IN|THIS|HERE|ID|OBJECT|TEMPLATE|YOUR|API)\b|^(?:REPLACE|YOUR|INSERT|CHANGE)[_-]|^TODO\b|^FIXME\b|^<[^<>]{1,60}>$|^\{\{[^{}]{1,60}\}\}$|^x{3,}$|^\.{3}$|^…$|^•+$|^(?:OBJECT|TEMPLATE|WALLET|FACE)_ID$/i;
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
  if (value.length <= 200 && PLACEHOLDER.test(value.trim()))
    findings.add(spanOf(node), 'placeholder', 'warning', 'A placeholder is left in: put the real value here');
  for (const [, inner = ''] of value.slice(0, 10_000).matchAll(VARIABLE)) {
    const colon = inner.indexOf(':');
    const kind = colon < 0 ? inner : inner.slice(0, colon);
    if (variableKinds.some((known) => known === kind) && colon >= 0 && inner.slice(colon + 1).trim() !== '') continue;
    findings.add(
      spanOf(node),
      'variable',
      'information',
      `\${${plainText(inner, 40)}} is no variable, and is sent as it stands. Variables: ${variableKinds.map((known) => `\${${known}:…}`).join(', ')}`,
    );
  }
}

/** `{ "mint": { … } }` with the kind's own fields, empty. */
export function sampleAction(kind: string, values: Readonly<Record<string, string>> = {}): string {
  const fields = (kindOf(kind)?.fields ?? [])
    .filter((field) => field.optional !== true || values[field.name] !== undefined)
    .map((field) => `${JSON.stringify(field.name)}: ${values[field.name] ?? field.sample}`);
  return `{ ${JSON.stringify(kind)}: { ${fields.join(', ')} } }`;
}

/** The action's own string fields, for callers that look ids up. */
export function idFieldsOf(file: ActionFile): readonly {
  readonly node: Node;
  readonly ids: NonNullable<ReturnType<typeof kindOf>>['fields'][number]['ids'];
  readonly id: string;
  readonly field: string;
  readonly kind: string;
}[] {
  return file.entries.flatMap(({ kind, value }) =>
    (kindOf(kind)?.fields ?? []).flatMap((field) => {
      const node = propertyOf(value, field.name);
      const id = stringAt(value, field.name);
      if (field.ids === undefined || node === undefined || id === undefined || id === '' || id.includes('${'))
        return [];
      if (PLACEHOLDER.test(id)) return [];
      return [{ node, ids: field.ids, id, field: field.name, kind }];
    }),
  );
}
