/** Elements of the page. Text is set only by `textContent`, so that no name becomes markup. */
const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "class") element.setAttribute("class", value);
      // The content security policy forbids style attributes, but not properties that a script
      // sets.
      else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...[children ?? []].flat(9).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  };

  /** Returns a sentence with the parts between backticks as code. */
  const prose = (text) => {
    const parts = text.split("\u0060");
    // A backtick without a second one is an ordinary character.
    if (parts.length % 2 === 0) return text;
    return parts.map((part, index) => (index % 2 ? fill(document.createElement("code"), {}, part) : part));
  };

  return {
    prose,
    /** `make("td", {class: "number"}, "12")` */
    make: (tag, attributes, children) => fill(document.createElement(tag), attributes, children),
    svg: (tag, attributes, children) => fill(document.createElementNS(SVG, tag), attributes, children),
    /** @type {(id: string) => any} */
    id: (id) => document.getElementById(id),
    /** Replaces the children of an element. */
    put: (element, ...children) => element.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false)),
    /** Announces a text to screen readers. */
    announce: (text) => { document.getElementById("announced").textContent = text; },
  };
})();
