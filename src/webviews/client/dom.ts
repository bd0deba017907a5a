/**
 * Elements of a webview's page. Views are built from plain elements with `h`; there is no component framework. A view's main.ts:
 *
 *   import './main.css';                        // which begins with @import '../base.css';
 *   const view = connectToHost(protocol, { state: (body) => render(body) });
 *   getRoot().append(createButton({ class: 'primary', onClick: () => view.post('choose', { … }) }, 'Choose'));
 *
 * Buttons, selects and notices come from controls.ts, icons through icons.ts; base.css styles them like those of VS Code.
 */
import { FILTER_KINDS } from '../../model/resources/filter-kinds.ts';

/** Returns the empty element of the page that a view fills. */
export function getRoot(): HTMLElement {
  const found = document.getElementById('root');
  if (found === null) throw new Error('The page has no root');
  return found;
}

/**
 * The element with the keyboard focus. `undefined` while the focus is outside of the page: then `document.activeElement` is
 * the one that had it last, and focusing its successor would take the focus from the workbench.
 */
export function getFocusedElement(): HTMLElement | undefined {
  const { activeElement } = document;
  return document.hasFocus() && activeElement instanceof HTMLElement ? activeElement : undefined;
}

export interface ResourceTarget {
  /** default: that of the page */
  readonly connection?: string;
  readonly kind: string;
  readonly id: string;
}

/** The attribute with which VS Code shows the context menu of a resource; see `webview/context` in package.json. */
export function getResourceContext(resource: ResourceTarget): string {
  const { kind } = resource;
  return JSON.stringify({
    webviewSection: 'resource',
    isFilter: FILTER_KINDS.has(kind),
    preventDefaultContextMenuItems: true,
    ...resource,
  });
}

type EventListeners = { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void };
type Attribute = string | number | boolean | undefined | null;
interface Properties {
  readonly on?: EventListeners;
  /** set as properties, not attributes: `value`, `checked` */
  readonly set?: Readonly<Record<string, unknown>>;
  /** CSS properties, set through the object model: the policy forbids style attributes */
  readonly style?: Readonly<Record<string, string>>;
  readonly [attribute: string]: Attribute | Readonly<Record<string, unknown>>;
}
export type Child = Node | string | number | undefined | null | false;

/**
 * Creates an element. Strings become text, never markup. `true` sets an empty attribute; `false`, `null` and `undefined` set
 * none. Throws for attributes and properties that run code or parse markup.
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
  replaceChildren(element, ...children);
  return element;
}

/** A text whose words between back-ticks are shown as code. */
export function formatCode(text: string): readonly (string | HTMLElement)[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}

/** Replaces the children of an element; `undefined`, `null` and `false` are skipped. */
export function replaceChildren(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(
    ...children
      .filter((child) => child !== undefined && child !== null && child !== false)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
}

/** Replaces the children of an element, and returns the focus to the control of the same `data-name`, else to the button at its place. */
export function replaceControls(element: Element, create: () => readonly Child[]): void {
  // Before `create`, which may replace controls in an element that stays.
  const focused = element.contains(document.activeElement) ? getFocusedElement() : undefined;
  const place = [...element.querySelectorAll('button')].findIndex((button) => button === focused);
  replaceChildren(element, ...create());
  if (focused === undefined || focused === element) return;
  const name = CSS.escape(focused.dataset['name'] ?? '');
  const same = element.querySelector<HTMLElement>(`[data-name="${name}"]`);
  (same ?? [...element.querySelectorAll('button')].slice(0, place + 1).at(-1))?.focus();
}

/** What `update` rendered each element from, as JSON. */
const renderedInputs = new WeakMap<Element, string>();

/**
 * Replaces the children of an element if `input`, which is compared as JSON, is not that of the last call: unchanged parts
 * keep their elements with focus and selection, and screen readers do not announce them again.
 */
export function update(element: Element, input: unknown, create: () => readonly Child[]): void {
  const rendered = JSON.stringify([input]);
  if (renderedInputs.get(element) === rendered) return;
  renderedInputs.set(element, rendered);
  replaceControls(element, create);
}

/** Sets the text of an element if it differs: a screen reader announces each new text of a status. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
