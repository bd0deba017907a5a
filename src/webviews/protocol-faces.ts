/** What the face preview and its host say to each other. */
import * as z from 'zod/mini';
import { defineProtocol } from './protocol.ts';

const line = z.string().check(z.maxLength(4000));
const key = z.string().check(z.maxLength(300));

const frame = z.strictObject({
  key,
  /** variant and object, for the caption and the frame's accessible name */
  title: line,
  /** `page`: `src` is an allowed web page; `document`: `srcdoc`; `empty`: only the note */
  type: z.enum(['document', 'page', 'empty']),
  srcdoc: z.optional(z.string()),
  src: z.optional(z.string()),
  note: z.optional(line),
  tone: z.optional(z.enum(['info', 'warning', 'error'])),
  /** width by height */
  aspect: z.optional(z.number()),
  /** can be opened in a browser */
  external: z.boolean(),
  /** not drawn because it could stop the window; it can be asked for */
  heavy: z.boolean(),
});

const problem = z.strictObject({
  type: z.enum(['blocked', 'placeholder']),
  where: line,
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  what: line,
  why: line,
});

/** Something that waits for a click. */
const ask = z.strictObject({ id: key, text: line, button: line });
const labelled = z.strictObject({ key, label: line });

const state = z.strictObject({
  title: line,
  /** connection and environment, or the file */
  heading: line,
  /** `file`: can be edited, compared and copied; `asset`: is nobody's face */
  source: z.enum(['file', 'resource', 'asset']),
  /** places of problems are places in that file */
  places: z.boolean(),
  busy: z.boolean(),
  /** why what is shown is not fresh, or not there */
  trouble: z.optional(line),
  variants: z.array(labelled),
  variant: key,
  objects: z.array(labelled),
  canAddObject: z.boolean(),
  frames: z.array(frame),
  problems: z.array(problem),
  /** more problems than are listed */
  moreProblems: z.number(),
  /** what placeholders cannot do here */
  unsupported: z.array(line),
  asks: z.array(ask),
  /** addresses that links of the faces lead to */
  links: z.array(z.strictObject({ key, url: line, where: line })),
  allowed: z.array(labelled),
  config: z.optional(z.string()),
  assets: z.array(z.strictObject({ name: line, type: line, url: line, note: line })),
  scripts: z.boolean(),
  lab: z.boolean(),
  /** given back after a reload of the window */
  keep: z.unknown(),
});
export type FaceState = z.output<typeof state>;
export type FaceFrame = z.output<typeof frame>;
export type FaceProblem = z.output<typeof problem>;

const nothing = z.strictObject({});
export const facesProtocol = defineProtocol({
  toView: { state },
  toHost: {
    refresh: nothing,
    variant: z.strictObject({ key }),
    addObject: nothing,
    removeObject: z.strictObject({ key }),
    allow: z.strictObject({ id: key }),
    forget: z.strictObject({ key }),
    openBrowser: z.strictObject({ key }),
    openLink: z.strictObject({ key }),
    showAnyway: z.strictObject({ key }),
    openSource: nothing,
    goTo: z.strictObject({ line: z.int().check(z.positive()), column: z.int().check(z.positive()) }),
    openLab: nothing,
    compare: nothing,
    copyString: nothing,
    openString: nothing,
  },
});

export const sizes = ['free', 'card', 'phone', 'wide'] as const;
/** What the view itself keeps over a reload, beside the host's part. */
export const kept = z.object({
  look: z.catch(
    z.object({
      size: z.enum(sizes),
      background: z.enum(['theme', 'light', 'dark']),
      zoom: z.number().check(z.gte(0.25), z.lte(4)),
      height: z.number().check(z.gte(80), z.lte(4000)),
      scroll: z.number(),
    }),
    { size: 'free', background: 'light', zoom: 1, height: 600, scroll: 0 },
  ),
});
export type Look = z.output<typeof kept>['look'];

/** A line from inside a frame that runs scripts: the face can forge it, so it is bounded and shown as text. */
export const faceReport = z.object({
  'smartObjects.faceReport': z.literal(1),
  level: z.enum(['log', 'info', 'warn', 'error', 'debug', 'violation']),
  text: z.string().check(z.maxLength(2000)),
});
