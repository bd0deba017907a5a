/** The last lock before anything is written or told: texts pass through a redaction, whoever wrote them (pure). */
import type { Log } from './log.ts';
import type { Ui } from './ui.ts';

type Redact = (text: string) => string;

export function guardedLog(log: Log, redact: Redact): Log {
  const safe = (part: unknown): unknown => (typeof part === 'string' ? redact(part) : part);
  return {
    trace: (message, ...more: unknown[]) => {
      log.trace(redact(message), ...more.map(safe));
    },
    debug: (message, ...more: unknown[]) => {
      log.debug(redact(message), ...more.map(safe));
    },
    info: (message, ...more: unknown[]) => {
      log.info(redact(message), ...more.map(safe));
    },
    warn: (message, ...more: unknown[]) => {
      log.warn(redact(message), ...more.map(safe));
    },
    // An Error's stack repeats its message.
    error: (message, ...more: unknown[]) => {
      log.error(redact(typeof message === 'string' ? message : (message.stack ?? message.message)), ...more.map(safe));
    },
    show: (preserveFocus) => {
      log.show(preserveFocus);
    },
    dispose: () => {
      log.dispose();
    },
  };
}

/** What asks for an answer goes through as it stands; what tells something is redacted first. */
export function guardedUi(ui: Ui, redact: Redact): Ui {
  const told: Pick<Ui, 'confirm' | 'confirmByTyping' | 'progress' | 'info' | 'warn' | 'error'> = {
    confirm: (question) => ui.confirm(redactQuestion(question, redact)),
    confirmByTyping: (question, expected) => ui.confirmByTyping(redactQuestion(question, redact), expected),
    progress: (title, work) =>
      ui.progress(redact(title), (signal, say) =>
        work(signal, (step) => {
          say(redact(step));
        }),
      ),
    info: (message, ...buttons) => ui.info(redact(message), ...buttons),
    warn: (message, ...buttons) => ui.warn(redact(message), ...buttons),
    error: (message, ...buttons) => ui.error(redact(message), ...buttons),
  };
  return new Proxy(ui, {
    get(target, name): unknown {
      if (Object.hasOwn(told, name)) return Reflect.get(told, name);
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
