/** Redacts secrets in everything that is logged or shown. */
import type { Log } from './log.ts';
import type { Ui } from './ui.ts';

type Redact = (text: string) => string;

/** Wraps a log; redacts messages and string arguments. */
export function createRedactingLog(log: Log, redact: Redact): Log {
  const redactPart = (part: unknown): unknown => (typeof part === 'string' ? redact(part) : part);
  return {
    trace: (message, ...parts: unknown[]) => log.trace(redact(message), ...parts.map(redactPart)),
    debug: (message, ...parts: unknown[]) => log.debug(redact(message), ...parts.map(redactPart)),
    info: (message, ...parts: unknown[]) => log.info(redact(message), ...parts.map(redactPart)),
    warn: (message, ...parts: unknown[]) => log.warn(redact(message), ...parts.map(redactPart)),
    // The stack of an Error repeats its message.
    error: (message, ...parts: unknown[]) =>
      log.error(
        redact(typeof message === 'string' ? message : (message.stack ?? message.message)),
        ...parts.map(redactPart),
      ),
    show: (preserveFocus) => log.show(preserveFocus),
    dispose: () => log.dispose(),
  };
}

/** Redacts messages and the prompts of lists, which may quote a server; input boxes pass unchanged. */
export function createRedactingUi(ui: Ui, redact: Redact): Ui {
  const redacting: Pick<
    Ui,
    'confirm' | 'choose' | 'confirmByTyping' | 'pickStep' | 'progress' | 'info' | 'warn' | 'error'
  > = {
    confirm: (question) => ui.confirm(redactQuestion(question, redact)),
    choose: (question, labels) => ui.choose(redactQuestion(question, redact), labels),
    confirmByTyping: (question, expected) => ui.confirmByTyping(redactQuestion(question, redact), expected),
    pickStep: (choices, options) =>
      ui.pickStep(choices, { ...options, ...(options.prompt !== undefined && { prompt: redact(options.prompt) }) }),
    progress: (title, work) =>
      ui.progress(redact(title), (signal, report) => work(signal, (step) => report(redact(step)))),
    info: (message, ...buttons) => ui.info(redact(message), ...buttons),
    warn: (message, ...buttons) => ui.warn(redact(message), ...buttons),
    error: (message, ...buttons) => ui.error(redact(message), ...buttons),
  };
  return new Proxy(ui, {
    get(target, name): unknown {
      if (Object.hasOwn(redacting, name)) return Reflect.get(redacting, name);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function redactQuestion<Q extends { readonly message: string; readonly detail?: string }>(
  question: Q,
  redact: Redact,
): Q {
  const { message, detail } = question;
  return { ...question, message: redact(message), ...(detail !== undefined && { detail: redact(detail) }) };
}
