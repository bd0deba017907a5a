/** Rendering keeps the keyboard focus, in elements that have as much of the DOM as it needs. */
import assert from 'node:assert/strict';
import { update } from '../../../../src/webviews/client/dom.ts';

class FakeElement {
  readonly dataset: Record<string, string> = {};
  children: readonly FakeElement[] = [];

  constructor(name?: string) {
    if (name !== undefined) this.dataset['name'] = name;
  }
  contains(other: FakeElement): boolean {
    return other === this || this.children.some((child) => child.contains(other));
  }
  replaceChildren(...children: readonly FakeElement[]): void {
    // What is taken out of the document loses the focus, also if it is put back.
    if (this !== page.activeElement && this.contains(page.activeElement)) page.activeElement = page.body;
    this.children = children;
  }
  querySelector(selector: string): FakeElement | undefined {
    const all = (element: FakeElement): readonly FakeElement[] => element.children.flatMap((one) => [one, ...all(one)]);
    return all(this).find(({ dataset: { name = '' } }) => selector === `[data-name="${name}"]`);
  }
  /** Fakes without a name are no buttons. */
  querySelectorAll(): readonly FakeElement[] {
    return this.children.flatMap((one) => (one.dataset['name'] === undefined ? one.querySelectorAll() : [one]));
  }
  focus(): void {
    page.activeElement = this;
  }
}

const body = new FakeElement('body');
const page = { body, activeElement: body, hasFocus: () => true };

suite('webviews: rendering', () => {
  const fakes = {
    document: page,
    HTMLElement: FakeElement,
    Node: FakeElement,
    CSS: { escape: (text: string) => text },
  };
  const before = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  suiteSetup(() => {
    for (const [name, value] of Object.entries(fakes))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });
  suiteTeardown(() => {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
  });

  const render = (element: FakeElement, input: unknown, create: () => readonly FakeElement[]): void => {
    Reflect.apply(update, undefined, [element, input, create]);
  };

  test('the focus returns to the control of the same name, also in an element that stays', () => {
    const content = new FakeElement();
    const permanent = new FakeElement();
    const create = (): readonly FakeElement[] => {
      permanent.replaceChildren(new FakeElement('compared-state'));
      return [permanent, new FakeElement('refresh')];
    };
    render(content, 1, create);
    for (const name of ['refresh', 'compared-state']) {
      content.querySelector(`[data-name="${name}"]`)?.focus();
      const focused = page.activeElement;
      render(content, name, create);
      assert.notEqual(page.activeElement, focused);
      assert.equal(page.activeElement.dataset['name'], name);
    }
    const { activeElement } = page;
    render(content, 'compared-state', create);
    assert.equal(page.activeElement, activeElement, 'what has not changed is not rendered again');
  });

  test('if the control is gone, the button at its place gets the focus, or the last one', () => {
    const content = new FakeElement();
    const show = (...names: readonly string[]): void =>
      render(content, names, () => names.map((name) => new FakeElement(name)));
    show('one', 'two', 'three');
    content.querySelector('[data-name="two"]')?.focus();
    for (const [names, expected] of [
      [['one', 'three', 'four'], 'three'],
      [['one'], 'one'],
    ] as const) {
      show(...names);
      assert.equal(page.activeElement.dataset['name'], expected);
    }
    show();
    assert.equal(page.activeElement, body);
  });
});
