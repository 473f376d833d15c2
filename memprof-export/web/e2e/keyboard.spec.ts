/** All functions of the page work by keyboard alone. */

import { expect, press, settled, test } from "./page";

test("the keys move, zoom, choose and explain", async ({ page, open }) => {
  await open("everything");
  const state = () => page.evaluate(() => ({ ...window.__memprof.state }));
  const begin = await state();
  await press(page, "w", "w");
  const near = await state();
  expect(near.to - near.from, "w zooms in").toBeLessThan((begin.to - begin.from) * 0.9);
  await press(page, "d");
  expect((await state()).from, "d goes on").toBeGreaterThan(near.from);
  await press(page, "a", "a");
  expect((await state()).from, "a goes back").toBeLessThanOrEqual(near.from);
  await press(page, "f");
  const fit = await state();
  expect(fit.from, "f shows all").toBeLessThanOrEqual(begin.from);
  expect(fit.to, "f shows all").toBeGreaterThanOrEqual(begin.to);
  await press(page, "r");
  expect((await state()).range, "r selects what is in view").not.toBeNull();
  await press(page, "Escape");
  const { range, shown } = await state();
  expect(range, "Escape takes the range back").toBeNull();
  await press(page, ",");
  expect((await state()).shown, ", goes to the snapshot before").not.toBe(shown);
  await press(page, "]");
  expect((await state()).call, "] points out a call").toBeGreaterThanOrEqual(0);
  await expect(page.locator("#announced"), "and it is announced").not.toBeEmpty();
  // Leaks come first, then operations, then the tree.
  await press(page, "3");
  expect((await state()).pane, "3 shows the tree").toBe("tree");
  await press(page, "?");
  await expect(page.locator("dialog#help"), "? shows the keys").toHaveJSProperty("open", true);
  await press(page, "Escape");
  await expect(page.locator("dialog#help"), "Escape closes them").toHaveJSProperty("open", false);
  await press(page, "/");
  await page.keyboard.type("render");
  await settled(page);
  await expect(page.locator("#found"), "/ looks for a name, and says how many were found").not.toBeEmpty();
  expect((await state()).find, "letters are letters in the search").toBe("render");
});

test("Tab reaches everything, and shows where it is", async ({ page, open }) => {
  await open("everything");
  const reached = new Set<string>();
  for (let press = 0; press < 250; press++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      return {
        // Pictures are canvases, and their role identifies them.
        name: element.id || element.getAttribute("role") || element.tagName.toLowerCase(),
        label: element.getAttribute("aria-label") ?? element.textContent.slice(0, 40),
        hasRing: style.outlineStyle !== "none" || style.boxShadow !== "none",
      };
    });
    if (at === null) break;
    expect(at.hasRing, `${at.name} ${at.label} shows that it has the focus`).toBe(true);
    reached.add(at.name);
  }
  for (const one of ["find", "units", "theme", "keys", "img", "tab"]) expect([...reached].join()).toContain(one);
});
