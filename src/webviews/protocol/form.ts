/** Messages between the form of an action file and its host. The document holds the values; the host posts what to show. */
import * as z from 'zod/mini';
import { defineProtocol } from './index.ts';

/** Characters of a value; a longer one is edited in the file. */
export const MAX_VALUE_LENGTH = 20_000;
/** Characters of the name of a field or kind; one with a longer name is edited in the file. */
export const MAX_NAME_LENGTH = 300;
/** Fields of one form; the others are edited in the file. */
export const MAX_FIELDS = 200;
/** Characters of a preview. */
export const MAX_PREVIEW_LENGTH = 400_000;
const text = z.string().check(z.maxLength(2000));
const name = z.string().check(z.maxLength(MAX_NAME_LENGTH));
const value = z.string().check(z.maxLength(MAX_VALUE_LENGTH));
/** Names of members, from the fields of the action inwards. */
const path = z.array(name).check(z.minLength(1), z.maxLength(3));
/** Counts the edits of a page, so that the page knows which of its edits a state contains. */
const edit = z.int().check(z.gte(0));

/** `lines`: text with line breaks; `date` and `datetime` as ISO 8601, the latter in UTC; `json`: any other JSON value, as its text. */
const FIELD_TYPES = ['text', 'lines', 'number', 'boolean', 'date', 'datetime', 'json'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];
/** The types of strings. */
export const TEXT_TYPES: ReadonlySet<FieldType> = new Set(['text', 'lines', 'date', 'datetime']);

const message = z.strictObject({
  severity: z.enum(['error', 'warning', 'information']),
  text,
  /** a required value is missing: shown once the user has left the field, or chose Run */
  isMissing: z.boolean(),
});
export type FormMessage = z.infer<typeof message>;

const field = z.strictObject({
  path,
  label: text,
  about: text,
  type: z.enum(FIELD_TYPES),
  required: z.boolean(),
  /** as the file has it; empty if it has none */
  value,
  /** the file has a value */
  isSet: z.boolean(),
  /** the value is not edited in the form: it contains a credential, or is too long */
  isLocked: z.boolean(),
  canRemove: z.boolean(),
  /** an object, template or owner can be selected */
  canPick: z.boolean(),
  /** the name of the value, and the present one of the object */
  hint: text,
  messages: z.array(message).check(z.maxLength(20)),
});
export type FormField = z.infer<typeof field>;

const group = z.strictObject({
  title: text,
  /** of the object that new fields are added to; absent if none can be */
  path: z.optional(path),
  fields: z.array(field).check(z.maxLength(MAX_FIELDS)),
});
export type FormGroup = z.infer<typeof group>;

/** Links of the outcome of a run. */
export const RUN_LINKS = ['run', 'log', 'object', 'changes'] as const;
const runState = z.strictObject({
  text,
  tone: z.enum(['info', 'warning', 'error']),
  isActive: z.boolean(),
  links: z.array(z.strictObject({ link: z.enum(RUN_LINKS), label: text })).check(z.maxLength(RUN_LINKS.length)),
});

const state = z.strictObject({
  title: text,
  /** connection, and what the action runs for */
  summary: text,
  kind: name,
  kinds: z.array(z.strictObject({ value: name, label: text })).check(z.maxLength(60)),
  groups: z.array(group).check(z.maxLength(8)),
  /** about the action as a whole */
  messages: z.array(message).check(z.maxLength(20)),
  /** why the file cannot be shown as a form; empty if it can */
  problem: text,
  runLabel: text,
  /** why nothing can be run now; empty if it can */
  blocked: text,
  run: z.optional(runState),
  edit,
});
export type FormState = z.infer<typeof state>;

export const formProtocol = defineProtocol({
  toView: {
    state,
    /** under headings, which begin with `#` */
    preview: z.strictObject({ text: z.string().check(z.maxLength(MAX_PREVIEW_LENGTH)) }),
    /** after a dialog: the field of `path`, else Run */
    focus: z.strictObject({ path: z.optional(path) }),
  },
  toHost: {
    setField: z.strictObject({ path, type: z.enum(FIELD_TYPES), value, edit }),
    removeField: z.strictObject({ path, edit }),
    setKind: z.strictObject({ kind: name, edit }),
    addField: z.strictObject({ path }),
    pick: z.strictObject({ path }),
    run: z.strictObject({}),
    cancel: z.strictObject({}),
    showFile: z.strictObject({}),
    save: z.strictObject({}),
    openLink: z.strictObject({ link: z.enum(RUN_LINKS) }),
  },
});
