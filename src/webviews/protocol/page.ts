/** Messages between the page of a resource and the extension. */
import * as z from 'zod/mini';
import { remedies } from '../../model/text/error-remedy.ts';
import { defineProtocol, webUrl } from './index.ts';
import { approvalRequest, frame } from './faces.ts';
import { history, type LogRow } from './logs.ts';

const key = z.string().check(z.maxLength(300));
const shortText = z.string().check(z.maxLength(4000));
const id = z.string().check(z.minLength(1), z.maxLength(1024));

const link = z.strictObject({ kind: key, id });
const field = z.strictObject({
  label: shortText,
  value: z.string().check(z.maxLength(20_001)),
  /** shown after the value: the id of a name, the full time */
  detail: z.optional(shortText),
  /** copied by a button */
  copy: z.optional(z.string().check(z.maxLength(20_000))),
  /** opens the page of a resource */
  link: z.optional(link),
  /** the resource of the page, whose id the value is: it has a context menu */
  resource: z.optional(link),
  /** http or https, opened in the browser */
  url: z.optional(z.string().check(z.maxLength(4000))),
  /** shown in a monospace font */
  code: z.optional(z.boolean()),
  /** the value is source text, such as HTML: its lines are kept, and it scrolls */
  source: z.optional(z.boolean()),
});
export type PageField = z.output<typeof field>;

/** `note`: says what is not listed */
const group = z.strictObject({ title: shortText, fields: z.array(field), note: z.optional(shortText) });
export type PageGroup = z.output<typeof group>;

const listItem = z.strictObject({
  id: z.optional(id),
  title: shortText,
  detail: shortText,
  picture: z.optional(z.string()),
});
const list = z.strictObject({
  kind: key,
  busy: z.boolean(),
  items: z.array(listItem),
  hasMore: z.boolean(),
  /** why it is empty or outdated */
  note: z.optional(shortText),
});
export type PageList = z.output<typeof list>;

// Rows come from our own host: see protocol/logs.ts.
const logs = z.strictObject({
  busy: z.boolean(),
  rows: z.array(z.custom<LogRow>((value: unknown) => typeof value === 'object' && value !== null && 'key' in value)),
  note: z.optional(shortText),
});
export type PageLogs = z.output<typeof logs>;

const face = z.strictObject({
  busy: z.boolean(),
  frames: z.array(frame),
  approvalRequests: z.array(approvalRequest),
  /** why there is none, or why it is outdated */
  note: z.optional(shortText),
});
export type PageFace = z.output<typeof face>;

const objectState = z.strictObject({
  root: shortText,
  /** place of the step of the history after which it was; -1 before the first */
  step: z.number(),
  fields: z.array(z.strictObject({ label: shortText, value: z.string().check(z.maxLength(8100)) })),
});
export type PageObjectState = z.output<typeof objectState>;

const chart = z.strictObject({
  label: shortText,
  /** the values in words */
  summary: shortText,
  values: z.array(z.number()),
});

/** What a resource offers besides its page. */
const COMMANDS = ['previewFace', 'previewAsset', 'newActionFileFrom'] as const;
const commandSchema = z.enum(COMMANDS);

const state = z.strictObject({
  /** changes when the page shows another resource */
  key: z.string(),
  title: shortText,
  /** what it is, and on which connection */
  kind: shortText,
  heading: shortText,
  connection: shortText,
  production: z.boolean(),
  /** its state as the server names it, translated if known */
  status: z.optional(z.strictObject({ label: shortText, tone: z.enum(['ok', 'busy', 'bad', 'unknown']) })),
  description: z.optional(shortText),
  /** a data: URI */
  picture: z.optional(z.string()),
  facts: z.array(field),
  busy: z.boolean(),
  /** when it was read */
  freshness: shortText,
  notice: z.optional(
    z.strictObject({
      text: shortText,
      tone: z.enum(['info', 'warning', 'error']),
      remedy: z.optional(z.enum(remedies)),
    }),
  ),
  actions: z.array(z.strictObject({ name: key, label: shortText, about: shortText })),
  commands: z.array(z.strictObject({ id: commandSchema, label: shortText })),
  hasJson: z.boolean(),
  canGoBack: z.boolean(),
  /** the next resource replaces it */
  isPreview: z.boolean(),
  /** `overview`, `history`, or a list */
  tabs: z.array(z.strictObject({ key, label: shortText })),
  tab: key,
  groups: z.array(group),
  face: z.optional(face),
  chart: z.optional(chart),
  /** the list of the tab; in the overview, the first items of the first list */
  list: z.optional(z.strictObject({ ...list.shape, title: shortText, tab: key })),
  history: z.optional(history),
  /** known states of the object, oldest first */
  timeMachine: z.optional(z.strictObject({ states: z.array(objectState) })),
  logs: z.optional(logs),
  /** returned to the host after a reload of the window */
  stored: z.unknown(),
});
export type PageState = z.output<typeof state>;

/** What is stored of a page. */
export const storedPageSchema = z.object({
  resource: z.object({ connection: id, kind: key, id }),
  tab: z.catch(key, 'overview'),
  back: z.catch(z.array(z.object({ connection: id, kind: key, id })), []),
  isPreview: z.catch(z.boolean(), false),
});
export type StoredPage = z.output<typeof storedPageSchema>;
/** The part of the stored state that only the page uses. */
export const storedViewSchema = z.object({
  scroll: z.catch(z.number(), 0),
  /** titles of groups that the user has closed */
  closed: z.catch(z.array(z.string()), []),
  /** name of the control with the keyboard focus */
  focused: z.optional(z.string()),
});

const emptyBody = z.strictObject({});
export const pageProtocol = defineProtocol({
  /** `ping`: the response is `alive` */
  toView: { state, ping: emptyBody },
  toHost: {
    /** `loaded`: all frames have loaded */
    alive: z.strictObject({ loaded: z.boolean() }),
    allow: z.strictObject({ id: key }),
    openBrowser: z.strictObject({ key }),
    renderComplexFrame: z.strictObject({ key }),
    refresh: emptyBody,
    back: emptyBody,
    keep: emptyBody,
    watch: emptyBody,
    /** to the history */
    copyLink: emptyBody,
    tab: z.strictObject({ tab: key }),
    /** `beside`: in the next editor group */
    open: z.strictObject({ kind: key, id, beside: z.boolean() }),
    openUrl: z.strictObject({ url: webUrl }),
    copy: z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(20_000)) }),
    action: z.strictObject({ name: key }),
    command: z.strictObject({ id: commandSchema }),
    json: emptyBody,
    remedy: z.strictObject({ id: z.enum(remedies) }),
    /** the whole list: its table, or the action logs */
    showAll: z.strictObject({ tab: key }),
    diff: z.strictObject({ key: shortText }),
    /** creates an action file that changes the object back */
    restore: z.strictObject({ root: shortText }),
  },
});
