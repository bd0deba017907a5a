/** The one bridge between host and webviews: messages both ways as zod schemas, checked on the side where they arrive. */
import * as z from 'zod/mini';

/** The body of each message by its type. */
export type Messages = Readonly<Record<string, z.ZodMiniType>>;

export interface Protocol<ToView extends Messages = Messages, ToHost extends Messages = Messages> {
  readonly toView: ToView;
  /** a webview's words are untrusted: keep these schemas strict and bounded */
  readonly toHost: ToHost;
}

export type TypeOf<M extends Messages> = keyof M & string;
export type BodyOf<M extends Messages, Type extends TypeOf<M>> = z.output<M[Type]>;
/** One function a message type: a missing one does not compile. */
export type Handlers<M extends Messages> = { readonly [Type in TypeOf<M>]: (body: BodyOf<M, Type>) => unknown };

/** What a view says about itself; `ready` opens the gate, `broken` goes to the log. */
export const LIFE = {
  ready: z.strictObject({}),
  broken: z.strictObject({ message: z.string().check(z.maxLength(2000)) }),
} as const satisfies Messages;

/** Names both directions of a view. The names of LIFE are taken. */
export function defineProtocol<const ToView extends Messages, const ToHost extends Messages>(protocol: {
  readonly toView: ToView;
  readonly toHost: ToHost;
}): Protocol<ToView, ToHost> {
  const taken = Object.keys(protocol.toHost).filter((type) => Object.hasOwn(LIFE, type));
  if (taken.length > 0) throw new Error(`The bridge itself uses the message ${taken.join(', ')}`);
  return protocol;
}

const envelope = z.strictObject({ type: z.string().check(z.maxLength(64)), body: z.unknown() });

/** A message on its way: structured-cloneable, nothing but these two. */
export function wrap<M extends Messages, Type extends TypeOf<M>>(
  type: Type,
  body: BodyOf<M, Type>,
): { readonly type: Type; readonly body: BodyOf<M, Type> } {
  return { type, body };
}

/**
 * Calls the handler of a message that fits its schema. Anything else is dropped, and the reason comes back: without
 * the message's content, which may be hostile.
 */
export function receive<M extends Messages>(messages: M, handlers: Handlers<M>, value: unknown): string | undefined {
  const opened = envelope.safeParse(value);
  if (!opened.success) return 'not a message';
  const { type, body } = opened.data;
  if (!isTypeOf(messages, type)) return 'an unknown message';
  const schema = messages[type];
  const read = schema?.safeParse(body);
  if (read?.success !== true) {
    const where = read?.error.issues[0]?.path.map(String).join('.') ?? '';
    return `a malformed message ${type}${where === '' ? '' : ` at ${where}`}`;
  }
  // The schema that was just passed is the one whose output this handler takes; a lookup by name hides that.
  const handle = handlers[type] as (body: unknown) => unknown;
  handle(read.data);
  return undefined;
}

function isTypeOf<M extends Messages>(messages: M, type: string): type is TypeOf<M> {
  return Object.hasOwn(messages, type);
}
