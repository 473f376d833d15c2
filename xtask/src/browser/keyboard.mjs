// Checks that all functions of the page work by keyboard alone.

import { check, open, quiet, settled } from "./page.mjs";

const state = (page) => page.evaluate(() => ({ ...window.__memprof.state }));

export const checks = {
  "the keys move, zoom, choose and explain": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const press = async (...keys) => { for (const key of keys) { await opened.page.keyboard.press(key); await settled(opened.page); } };
    const begin = await state(opened.page);
    await press("w", "w");
    const near = await state(opened.page);
    check(near.to - near.from < (begin.to - begin.from) * 0.9, "w zooms in");
    await press("d");
    check((await state(opened.page)).from > near.from, "d goes on");
    await press("a", "a");
    check((await state(opened.page)).from <= near.from, "a goes back");
    await press("f");
    const fit = await state(opened.page);
    check(fit.from <= begin.from && fit.to >= begin.to, "f shows all");
    await press("r");
    check((await state(opened.page)).range !== null, "r selects what is in view");
    await press("Escape");
    check((await state(opened.page)).range === null, "Escape takes the range back");
    const shown = (await state(opened.page)).shown;
    await press(",");
    check((await state(opened.page)).shown !== shown, ", goes to the snapshot before");
    await press("]");
    const call = await state(opened.page);
    check(call.call >= 0, "] points out a call");
    check((await opened.page.locator("#announced").innerText()).length > 0, "and it is announced");
    // Leaks come first, then operations, then the tree.
    await press("3");
    check((await state(opened.page)).pane === "tree", "3 shows the tree");
    await press("?");
    check(await opened.page.locator("dialog#help").evaluate((dialog) => dialog.open), "? shows the keys");
    await press("Escape");
    check(!(await opened.page.locator("dialog#help").evaluate((dialog) => dialog.open)), "Escape closes them");
    await press("/");
    await opened.page.keyboard.type("render");
    await settled(opened.page);
    await opened.page.waitForTimeout(400);
    check((await state(opened.page)).find === "render", "/ looks for a name, and letters are letters there");
    check((await opened.page.locator("#found").innerText()).length > 0, "and says how many were found");
    quiet(opened.wrong);
    await opened.close();
  },

  "Tab reaches everything, and shows where it is": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const reached = new Set();
    for (let press = 0; press < 250; press++) {
      await opened.page.keyboard.press("Tab");
      const at = await opened.page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const style = getComputedStyle(element);
        return { tag: element.tagName.toLowerCase(), id: element.id, role: element.getAttribute("role"), ring: style.outlineStyle !== "none" || style.boxShadow !== "none", label: element.getAttribute("aria-label") ?? element.textContent.slice(0, 40) };
      });
      if (at === null) break;
      // Pictures are canvases, and their role identifies them.
      check(at.ring, `${at.tag} ${at.id} ${at.label} shows that it has the focus`);
      reached.add(at.id || at.role || at.tag);
    }
    for (const one of ["find", "units", "theme", "keys", "img", "tab"]) check([...reached].some((name) => name.includes(one)) , `Tab reaches ${one}: ${[...reached]}`);
    quiet(opened.wrong);
    await opened.close();
  },
};
