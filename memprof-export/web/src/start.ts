/** Reads the data, builds the parts of the page, and replaces the summary with them. */

import * as Answer from "./answer";
import * as Data from "./data";
import * as Dom from "./dom";
import { id, make, put } from "./dom";
import * as Keys from "./keys";
import * as Panes from "./panes";
import { Bound, type PageData } from "./report";
import type { View } from "./state";
import * as State from "./state";
import * as Time from "./time";
import * as Units from "./units";

const head = (report: PageData) => {
  // A title set by the user replaces the program's name, so the program is shown here.
  const program = report.title === report.program ? "" : `${report.program} · `;
  id("began").textContent =
    report.began === null
      ? `${program}a profile · memprof ${report.memprof}`
      : `${program}${report.began} · ${Units.span(report.end)} · ${report.ended} · memprof ${report.memprof} on ${report.platform}`;
  const facts = () =>
    put(
      id("facts"),
      report.facts.map((fact) =>
        make("div", {}, [
          make("dt", {}, fact.label),
          make(
            "dd",
            fact.bytes === null ? {} : { title: Units.exact(fact.bytes) },
            fact.text ?? Units.bounded(fact.bytes ?? NaN, fact.atLeast ? Bound.LEAST : 0),
          ),
        ]),
      ),
    );
  State.on(["units"], facts);
  facts();
  if (report.notes.length === 0) return;
  const [summary, list] = id("notes").children;
  summary.textContent = report.notes.length === 1 ? "1 note on this page" : `${report.notes.length} notes on this page`;
  put(
    list,
    report.notes.map((note) => make("li", {}, Dom.prose(note))),
  );
  id("notes").hidden = false;
};

const controls = () => {
  /** Keeps the list of a control and an entry of the state equal. */
  const choose = <Name extends "units" | "theme">(name: Name, then: (value: View[Name]) => void) => {
    const select = id<HTMLSelectElement>(name);
    const show = () => {
      select.value = State.now[name];
      then(State.now[name]);
    };
    select.addEventListener("change", () => {
      const value = select.value as View[Name];
      then(value);
      State.set({ [name]: value });
    });
    State.on([name], show);
    show();
  };
  choose("units", Units.use);
  choose("theme", (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  });
  id("controls").hidden = false;
};

/** Data for tests of this page. All of it is in the page too. */
export interface Inspected {
  report: PageData;
  state: View;
  set: typeof State.set;
  units: typeof Units;
  time: typeof Time;
  panes: typeof Panes;
  /** The time in milliseconds at which the page was drawn. */
  ready: number;
}

declare global {
  interface Window {
    __memprof: Inspected;
  }
}

const run = async () => {
  const report = await Data.read();
  Object.assign(State.now, { to: report.end, units: report.units });
  State.recall(report);
  Units.use(State.now.units);
  head(report);
  Answer.build(report, id("answer"));
  controls();
  id("main").hidden = false;
  id("summary").hidden = true;
  Time.build(report, id("time-parts"));
  Panes.build(report, id("tabs"), id("pane-parts"));
  Keys.build(report);
  window.__memprof = {
    report,
    state: State.now,
    set: State.set,
    units: Units,
    time: Time,
    panes: Panes,
    ready: performance.now(),
  };
};

run().catch((error) => {
  id("waiting").textContent =
    `This page cannot be drawn: ${error.message}. The text above is a summary of the same data. To write the page again, run \`memprof html FILE -o page.html\`.`;
  id("summary").hidden = false;
  throw error;
});
