/** Hostile names are shown as text and never act as markup or code. */

import { excess, expect, PANES, set, settled, test } from "./page";

for (const width of [360, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("hostile names can't run, ask for anything, or break the layout", async ({ page, open }) => {
      await open("hostile");
      const active = page.locator("script, img, iframe, object, embed, link, base, form");
      const before = await active.count();
      for (const pane of PANES) {
        await set(page, { pane, find: "script" });
        expect(await excess(page), `pixels by which ${pane} is too wide`).toBeLessThanOrEqual(0);
      }
      const titles = (await page.locator("#pane-places h3").allInnerTexts()).slice(1, 3);
      expect(titles).toEqual(["By type", "Pinned memory"]);
      // Opens everything that a user can open.
      await page.evaluate(() => {
        for (const one of document.querySelectorAll("details")) one.open = true;
      });
      await settled(page);
      expect(await active.count(), "elements made by names").toBe(before);
      const found = await page.evaluate(() => {
        const isHandler = ({ name }: Attr) => name.startsWith("on");
        return {
          handlers: [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some(isHandler)).length,
          threads: window.__memprof.data.threads.map(({ name, whole }) => `${name} ${whole}`),
          text: document.body.innerText + document.title,
        };
      });
      expect(found.handlers, "handlers made by names").toBe(0);
      for (const thread of found.threads) expect(thread).not.toMatch(/[\u202a-\u202e]/);
      // These characters reorder or hide text.
      // eslint-disable-next-line no-control-regex
      expect(found.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/);
    });
  });
}

test.describe("what slips through", () => {
  // The browser reports what the policy stops.
  test.use({ quiet: false });

  test("the policy stops it", async ({ page, open }) => {
    await open("hostile");
    const tried = await page.evaluate(async () => {
      const tried: Record<string, string> = {};
      Object.assign(window, { runs: 0 });
      const attempt = (name: string, run: () => void) => {
        try {
          run();
          tried[name] = "allowed";
        } catch (error) {
          tried[name] = (error as Error).name;
        }
      };
      attempt("innerHTML", () => {
        Object.assign(document.createElement("p"), { innerHTML: "<img src=x onerror='window.runs++'>" });
      });
      // Runs later, because the policy does not apply to code that a driver evaluates.
      await new Promise<void>((done) =>
        setTimeout(() => {
          attempt("eval", () => (0, window.eval)("window.runs++"));
          done();
        }),
      );
      attempt("script", () => {
        const script = document.createElement("script");
        script.text = "window.runs++";
        document.head.append(script);
      });
      tried.fetch = await fetch("https://example.com/").then(
        () => "allowed",
        () => "refused",
      );
      await new Promise((done) => setTimeout(done, 200));
      return { ...tried, runs: Object(window).runs };
    });
    expect(tried).toEqual({
      innerHTML: "TypeError",
      eval: "EvalError",
      script: "TypeError",
      fetch: "refused",
      runs: 0,
    });
  });
});
