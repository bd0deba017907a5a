/** The messages of the face preview. */
import * as z from 'zod/mini';
import { defineProtocol } from './index.ts';

const shortText = z.string().check(z.maxLength(4000));
const key = z.string().check(z.maxLength(300));

export const frame = z.strictObject({
  key,
  /** variant and object: the caption and accessible name of the frame */
  title: shortText,
  /** `page`: `src` is an approved web page; `document`: `srcdoc`; `empty`: only the note */
  type: z.enum(['document', 'page', 'empty']),
  srcdoc: z.optional(z.string()),
  src: z.optional(z.string()),
  note: z.optional(shortText),
  tone: z.optional(z.enum(['info', 'warning', 'error'])),
  /** width divided by height */
  aspect: z.optional(z.number()),
  /** has an address for Open in Browser */
  canOpenInBrowser: z.boolean(),
  /** not rendered because it could block the window; the user can request it */
  heavy: z.boolean(),
});

const problem = z.strictObject({
  type: z.enum(['blocked', 'placeholder']),
  frameTitle: shortText,
  line: z.optional(z.number()),
  column: z.optional(z.number()),
  snippet: shortText,
  reason: shortText,
});

/** A request that the user can approve. */
export const approvalRequest = z.strictObject({ id: key, text: shortText, button: shortText });
const choice = z.strictObject({ key, label: shortText });

const state = z.strictObject({
  title: shortText,
  /** connection and environment, or the file */
  heading: shortText,
  /** `file`: can be edited, compared and copied; `asset`: has no object data */
  source: z.enum(['file', 'resource', 'asset']),
  /** positions of problems are positions in the file */
  hasFilePositions: z.boolean(),
  loading: z.boolean(),
  /** why the preview is outdated or empty */
  error: z.optional(shortText),
  variants: z.array(choice),
  variant: key,
  objects: z.array(choice),
  /** label of the source's own object, which is shown if no other is selected */
  ownObject: z.optional(shortText),
  canAddObject: z.boolean(),
  frames: z.array(frame),
  problems: z.array(problem),
  /** number of problems that are not listed */
  omittedProblems: z.number(),
  /** features of Go templates that are not supported */
  unsupportedFeatures: z.array(shortText),
  approvalRequests: z.array(approvalRequest),
  /** addresses of the faces' links */
  links: z.array(z.strictObject({ key, url: shortText, frameTitle: shortText })),
  approvals: z.array(choice),
  config: z.optional(z.string()),
  assets: z.array(z.strictObject({ name: shortText, type: shortText, url: shortText, note: shortText })),
  scripts: z.boolean(),
  lab: z.boolean(),
  /** returned to the host after a reload of the window */
  preview: z.unknown(),
});
export type FaceState = z.output<typeof state>;
export type FaceFrame = z.output<typeof frame>;
export type FaceProblem = z.output<typeof problem>;

const emptyBody = z.strictObject({});
export const facesProtocol = defineProtocol({
  /** `ping`: the response is `alive` */
  toView: { state, ping: emptyBody },
  toHost: {
    /** `loaded`: all frames have loaded */
    alive: z.strictObject({ loaded: z.boolean() }),
    refresh: emptyBody,
    selectVariant: z.strictObject({ key }),
    addObject: emptyBody,
    removeObject: z.strictObject({ key }),
    allow: z.strictObject({ id: key }),
    revoke: z.strictObject({ key }),
    openBrowser: z.strictObject({ key }),
    openLink: z.strictObject({ key }),
    renderComplexFrame: z.strictObject({ key }),
    openSource: emptyBody,
    revealPosition: z.strictObject({ line: z.int().check(z.positive()), column: z.int().check(z.positive()) }),
    openLab: emptyBody,
    compare: emptyBody,
    copyJsonString: emptyBody,
    openJsonString: emptyBody,
  },
});

const SIZES = ['free', 'card', 'phone', 'wide'] as const;
/** The part of the stored state that only the view uses. */
export const storedViewStateSchema = z.object({
  look: z.catch(
    z.object({
      size: z.enum(SIZES),
      background: z.enum(['theme', 'light', 'dark']),
      zoom: z.number().check(z.gte(0.25), z.lte(4)),
      height: z.number().check(z.gte(80), z.lte(4000)),
      scroll: z.number(),
    }),
    { size: 'free', background: 'light', zoom: 1, height: 600, scroll: 0 },
  ),
});
export type DisplayOptions = z.output<typeof storedViewStateSchema>['look'];

/** Marks messages of the console script. */
export const REPORT_MARKER = 'smartObjects.faceReport';
/** Reports of one frame. */
export const MAX_REPORTS = 200;
/** Characters of a report. */
export const MAX_REPORT_LENGTH = 2000;

/** A message of the console script. The face can forge it: bound it and show it as text. */
export const scriptReportSchema = z.object({
  [REPORT_MARKER]: z.literal(1),
  level: z.enum(['log', 'info', 'warn', 'error', 'debug', 'violation']),
  text: z.string().check(z.maxLength(MAX_REPORT_LENGTH)),
});
