/** Elements of the page. Text is set only by `textContent`, so that no name becomes markup. */

/** The content of an element. `null`, `undefined` and `false` add nothing. */
export type Child = Node | string | null | undefined | false | readonly Child[];

type Handlers = {
  [Name in keyof HTMLElementEventMap as `on${Name}`]?:
    ((event: HTMLElementEventMap[Name]) => void) | null | false | undefined;
};

/** Attributes of an element. `null`, `undefined` and `false` set nothing. */
export interface Attributes extends Handlers {
  style?: Record<string, string | number>;
  [name: string]:
    string | number | boolean | null | undefined | Record<string, string | number> | ((event: never) => void);
}

/** Returns the children of a list, and of the lists in it. */
const flat = (child: Child): (Node | string)[] => {
  if (child === null || child === undefined || child === false) return [];
  return typeof child === "string" || child instanceof Node ? [child] : child.flatMap(flat);
};

/** Creates an element, for example with `make("td", { class: "number" }, "12")`. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children?: Child,
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as (event: Event) => void);
    // The content security policy forbids style attributes, but not properties that a script
    // sets.
    else if (typeof value === "object")
      for (const [key, one] of Object.entries(value)) element.style.setProperty(key, String(one));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
};

/** Creates a button. */
export const button = (text: Child, onclick: (event: MouseEvent) => void, more: Attributes = {}) =>
  make("button", { type: "button", onclick, ...more }, text);

/** Returns a sentence with the parts between backticks as code. */
export const prose = (text: string): Child => {
  const parts = text.split("`");
  // A backtick without a second one is an ordinary character.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) => (index % 2 ? make("code", {}, part) : part));
};

/** Returns an element of `page.html`. */
export const id = <E extends HTMLElement = HTMLElement>(name: string): E => {
  const found = document.getElementById(name);
  if (!found) throw new Error(`the page has no element #${name}`);
  return found as E;
};

/** Replaces the children of an element. */
export const put = (element: Element, ...children: Child[]) => element.replaceChildren(...flat(children));

/** Announces a text to screen readers. */
export const announce = (text: string) => {
  id("announced").textContent = text;
};

/** Returns the context of a canvas. Every browser that can open the page has one. */
export const drawing = (element: HTMLCanvasElement) => {
  const context = element.getContext("2d");
  if (!context) throw new Error("this browser does not support canvas");
  return context;
};
