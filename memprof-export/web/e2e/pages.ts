/** Makes pages with the program `memprof`, whose path is in the variable `MEMPROF`. */

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileOf, FOLDER } from "./page";
import { write } from "./recordings";

const makePage = (name: string, recording: string) => {
  const memprof = process.env.MEMPROF;
  if (!memprof) throw new Error("set MEMPROF to the path of the program, or run `cargo xtask browser`");
  execFileSync(memprof, ["html", "--force", "-o", fileOf(name), recording], { stdio: "pipe" });
};

/** Writes a recording by hand, and makes its page. */
export const make = async (name: string) => {
  await write(FOLDER, name);
  makePage(name, join(FOLDER, `${name}.json`));
};

/** Makes the page of a profile without a session, in the form that tests write. */
export const makeProfile = () => makePage("profile", resolve("../../tests/data/json/model.json"));
