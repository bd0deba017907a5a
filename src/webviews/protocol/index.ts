/** Typed messages between the host and its webviews: zod schemas in both directions, checked by the receiver. */
import * as z from 'zod/mini';

/** The schema of each message's body, by message type. */
export type MessageSchemas = Readonly<Record<string, z.ZodMiniType>>;

export interface Protocol<
  ToView extends MessageSchemas = MessageSchemas,
  ToHost extends MessageSchemas = MessageSchemas,
> {
  readonly toView: ToView;
  /** messages of a webview are untrusted: keep these schemas strict and bounded */
  readonly toHost: ToHost;
}

export type MessageType<M extends MessageSchemas> = keyof M & string;
export type MessageBody<M extends MessageSchemas, Type extends MessageType<M>> = z.output<M[Type]>;
/** One handler for each message type; it may return a promise. */
export type MessageHandlers<M extends MessageSchemas> = {
  readonly [Type in MessageType<M>]: (body: MessageBody<M, Type>) => unknown;
};

export const MAX_URL_LENGTH = 4000;
/** URL that a message opens in the browser: no command or file, whatever a server sent to the page. */
export const webUrl = z.string().check(z.maxLength(MAX_URL_LENGTH), z.regex(/^https?:\/\//i));

/** Messages of every webview: `ready` once it listens, `error` for an uncaught error, which is logged. */
export const LIFECYCLE_MESSAGES = {
  ready: z.strictObject({}),
  error: z.strictObject({ message: z.string().check(z.maxLength(2000)) }),
} as const satisfies MessageSchemas;

/** Defines the messages of a view. Throws if a message has a name of LIFECYCLE_MESSAGES. */
export function defineProtocol<const ToView extends MessageSchemas, const ToHost extends MessageSchemas>(protocol: {
  readonly toView: ToView;
  readonly toHost: ToHost;
}): Protocol<ToView, ToHost> {
  const reserved = Object.keys(protocol.toHost).filter((type) => Object.hasOwn(LIFECYCLE_MESSAGES, type));
  if (reserved.length > 0) throw new Error(`Reserved message: ${reserved.join(', ')}`);
  return protocol;
}

const envelope = z.strictObject({ type: z.string().check(z.maxLength(64)), body: z.unknown() });

/** Creates a message as it is posted: structured-cloneable, with a type and a body. */
export function createMessage<M extends MessageSchemas, Type extends MessageType<M>>(
  type: Type,
  body: MessageBody<M, Type>,
): { readonly type: Type; readonly body: MessageBody<M, Type> } {
  return { type, body };
}

/**
 * Calls the handler of a message that fits its schema and waits for it. Resolves with `undefined`, or with the reason why
 * the message was dropped; the reason does not repeat the message's content, which may be hostile.
 * Rejects with whatever the handler throws or rejects with.
 */
export async function dispatchMessage<M extends MessageSchemas>(
  messages: M,
  handlers: MessageHandlers<M>,
  value: unknown,
): Promise<string | undefined> {
  const message = envelope.safeParse(value);
  if (!message.success) return 'not a message';
  const { type, body } = message.data;
  if (!isMessageType(messages, type)) return 'an unknown message';
  const schema = messages[type];
  const parsed = schema?.safeParse(body);
  if (parsed?.success !== true) {
    const path = parsed?.error.issues[0]?.path.map(String).join('.') ?? '';
    return `a malformed message ${type}${path === '' ? '' : ` at ${path}`}`;
  }
  // The compiler does not relate a handler to its schema when both are looked up by name.
  const handler = handlers[type] as (body: unknown) => unknown;
  await handler(parsed.data);
  return undefined;
}

function isMessageType<M extends MessageSchemas>(messages: M, type: string): type is MessageType<M> {
  return Object.hasOwn(messages, type);
}
