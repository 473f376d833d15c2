// Hostile names are shown as text and never act as markup or code.

import { check, open, quiet, settled } from "./page.mjs";

const PANES = ["operations", "tree", "difference", "places", "balance"];

export const checks = {
  "hostile names can't run, ask for anything, or break the layout": async ({ browser, page }) => {
    for (const width of [360, 1280]) {
      const opened = await open(browser, page("hostile"), { width });
      const before = await opened.page.evaluate(() => document.querySelectorAll("script, img, iframe, object, embed, link, base, form").length);
      for (const pane of PANES) {
        await opened.page.evaluate((pane) => window.__memprof.set({ pane, find: "script" }), pane);
        await settled(opened.page);
        const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        check(wide <= 0, `${pane} at ${width} px is ${wide} px too wide`);
      }
      // Opens everything that a user can open.
      await opened.page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
      await settled(opened.page);
      const found = await opened.page.evaluate(() => ({
        elements: document.querySelectorAll("script, img, iframe, object, embed, link, base, form").length,
        handlers: [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some((attribute) => attribute.name.startsWith("on"))).length,
        threads: window.__memprof.report.threads.filter(({ name, whole }) => /[\u202a-\u202e]/.test(name + whole)).length,
        bidi: /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/.test(document.body.innerText + document.title),
      }));
      check(found.elements === before, `no element was made by a name: ${before} before, ${found.elements} now`);
      check(found.handlers === 0, "no handler was made by a name");
      check(found.threads === 0, "names of threads are escaped");
      check(!found.bidi, "what reorders or hides text is written out");
      quiet(opened.wrong);
      await opened.close();
    }
  },

  "the policy stops what slips through": async ({ browser, page }) => {
    const opened = await open(browser, page("hostile"));
    const ran = await opened.page.evaluate(async () => {
      window.ran = 0;
      const tried = [];
      const attempt = (name, run) => { try { run(); tried.push(`${name}: allowed`); } catch (error) { tried.push(`${name}: ${error.name}`); } };
      attempt("innerHTML", () => { document.createElement("p").innerHTML = "<img src=x onerror='window.ran++'>"; });
      // Runs later, because the policy does not apply to code that a driver evaluates.
      await new Promise((done) => setTimeout(() => { attempt("eval", () => { (0, eval)("window.ran++"); }); done(); }, 0));
      const script = document.createElement("script");
      attempt("script", () => { script.text = "window.ran++"; document.head.append(script); });
      await fetch("https://example.com/").then(() => tried.push("fetch: allowed"), () => tried.push("fetch: refused"));
      await new Promise((done) => setTimeout(done, 200));
      return { ran: window.ran, tried };
    });
    check(ran.ran === 0 && !ran.tried.some((one) => one.endsWith("allowed")), `nothing ran: ${JSON.stringify(ran)}`);
    await opened.close();
  },
};
