/** Reads the data, builds the parts of the page, and replaces the summary with them. */

import * as Answer from "./answer";
import * as Data from "./data";
import * as Dom from "./dom";
import { id, make, put } from "./dom";
import * as Keys from "./keys";
import * as Panes from "./panes";
import { Bound, type PageData } from "./page_data";
import type { View } from "./state";
import * as State from "./state";
import * as Time from "./time";
import * as Units from "./units";

const head = (data: PageData) => {
  // A title set by the user replaces the program's name, so the program is shown here.
  const program = data.title === data.program ? "" : `${data.program} · `;
  id("began").textContent =
    data.began === null
      ? `${program}a profile · memprof ${data.memprof}`
      : `${program}${data.began} · ${Units.span(data.end)} · ${data.ended} · memprof ${data.memprof} on ${data.platform}`;
  const facts = () =>
    put(
      id("facts"),
      data.facts.map((fact) =>
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
  if (data.notes.length === 0) return;
  const [summary, list] = id("notes").children;
  summary.textContent = data.notes.length === 1 ? "1 note on this page" : `${data.notes.length} notes on this page`;
  put(
    list,
    data.notes.map((note) => make("li", {}, Dom.prose(note))),
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
  data: PageData;
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
  const data = await Data.read();
  Object.assign(State.now, { to: data.end, units: data.units });
  State.recall(data);
  Units.use(State.now.units);
  head(data);
  Answer.build(data, id("answer"));
  controls();
  id("main").hidden = false;
  id("summary").hidden = true;
  Time.build(data, id("time-parts"));
  Panes.build(data, id("tabs"), id("pane-parts"));
  Keys.build(data);
  window.__memprof = {
    data,
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
