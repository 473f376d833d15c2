/** Elements of the page. Text goes in by `textContent` alone, so that no name is ever markup. */
const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "class") element.setAttribute("class", value);
      // The policy allows no style attributes; what a script sets is no attribute.
      else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...[children ?? []].flat(9).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  };

  /** A sentence in which what stands between backticks is code. */
  const prose = (text) => {
    const parts = text.split("\u0060");
    // One that is never closed is only a letter.
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
    /** Puts these in the place of what an element holds. */
    put: (element, ...children) => element.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false)),
    /** Says something to those who don't see the page. */
    announce: (text) => { document.getElementById("announced").textContent = text; },
  };
})();
