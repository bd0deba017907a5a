/**
 * The browser's side of a webview. A view's main.ts:
 *
 *   import './main.css';                        // which begins with @import '../base.css';
 *   const view = connect(protocol, { state: (body) => render(body) });
 *   root().append(h('button', { type: 'button', on: { click: () => view.post('choose', { … }) } }, 'Choose'));
 *
 * Components come one by one (`import '@vscode-elements/elements/dist/vscode-button/index.js'`, 15 to 30 KB with Lit; not the
 * select, at 80 KB: base.css dresses the platform's own), icons through icons.ts.
 * `connect` says `ready` by itself; `setState` keeps what the serializer hands back after a reload of the window.
 */
import * as z from 'zod/mini';
import { receive, wrap, type BodyOf, type Handlers, type Messages, type Protocol, type TypeOf } from '../protocol.ts';

// Zod would try `eval`, which the policy reports as a violation.
z.config({ jitless: true });

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export interface View<ToHost extends Messages> {
  post<Type extends TypeOf<ToHost>>(type: Type, body: BodyOf<ToHost, Type>): void;
  /** What `setState` kept, if it still fits the schema. */
  getState<S extends z.ZodMiniType>(schema: S): z.output<S> | undefined;
  setState(state: unknown): void;
}

/** Once a page. */
export function connect<ToView extends Messages, ToHost extends Messages>(
  protocol: Protocol<ToView, ToHost>,
  handlers: Handlers<ToView>,
): View<ToHost> {
  const api = acquireVsCodeApi();
  const broken = (message: string): void => {
    api.postMessage({ type: 'broken', body: { message: message.slice(0, 2000) } });
  };
  addEventListener('error', (event) => {
    broken(event.message);
  });
  addEventListener('unhandledrejection', (event) => {
    broken(event.reason instanceof Error ? event.reason.message : 'a rejected promise');
  });
  addEventListener('message', (event: MessageEvent<unknown>) => {
    // The host speaks from the frame around this page, of the same origin; frames of ours have an opaque one.
    if (event.origin !== window.origin) return;
    const wrong = receive(protocol.toView, handlers, event.data);
    if (wrong !== undefined) broken(`the host sent ${wrong}`);
  });
  // After the caller has built its page, so that the first state finds it.
  queueMicrotask(() => {
    api.postMessage({ type: 'ready', body: {} });
  });
  return {
    post(type, body) {
      api.postMessage(wrap<ToHost, typeof type>(type, body));
    },
    getState(schema) {
      const read = schema.safeParse(api.getState());
      return read.success ? read.data : undefined;
    },
    setState(state) {
      api.setState(state);
    },
  };
}

export type Theme = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

export function theme(): Theme {
  const { classList } = document.body;
  if (classList.contains('vscode-high-contrast-light')) return 'high-contrast-light';
  if (classList.contains('vscode-high-contrast')) return 'high-contrast';
  return classList.contains('vscode-light') ? 'light' : 'dark';
}

/** Called when the theme's kind or any of its colours changes. */
export function onTheme(changed: (theme: Theme) => void): void {
  const observer = new MutationObserver(() => {
    changed(theme());
  });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

/** A colour or size of the theme: `--vscode-focusBorder`. */
export function themeValue(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function root(): HTMLElement {
  const found = document.getElementById('root');
  if (found === null) throw new Error('The page has no root');
  return found;
}

type EventsOf = { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
type Attribute = string | number | boolean | undefined | null;
export interface Properties {
  readonly on?: EventsOf;
  /** set as properties, not attributes: `value`, `checked` */
  readonly set?: Readonly<Record<string, unknown>>;
  /** CSS custom properties and styles, through the object model, which the policy allows */
  readonly style?: Readonly<Record<string, string>>;
  readonly [attribute: string]: Attribute | Readonly<Record<string, unknown>>;
}
export type Child = Node | string | number | undefined | null | false;

/**
 * An element. Strings become text, never markup. `true` sets an empty attribute; `false`, `null` and `undefined` set none.
 * Attributes that could run or load something are refused, whoever asks.
 */
export function h<Tag extends string>(
  tag: Tag,
  properties?: Properties,
  ...children: readonly Child[]
): Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement;
export function h(tag: string, properties: Properties = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag);
  const { on, set, style, ...attributes } = properties;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false || typeof value === 'object') continue;
    if (/^on/i.test(name) || (name === 'srcdoc' && tag !== 'iframe')) throw new Error(`Not as an attribute: ${name}`);
    element.setAttribute(name, value === true ? '' : value.toString());
  }
  for (const [name, value] of Object.entries(style ?? {})) element.style.setProperty(name, value);
  for (const [name, value] of Object.entries(set ?? {})) {
    if (/^(inner|outer)HTML$|^on/.test(name)) throw new Error(`Not as a property: ${name}`);
    Reflect.set(element, name, value);
  }
  for (const [name, listener] of Object.entries(on ?? {})) {
    if (typeof listener === 'function') element.addEventListener(name, listener as (event: Event) => void);
  }
  fill(element, ...children);
  return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(
    ...children
      .filter((child) => child !== undefined && child !== null && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
}
