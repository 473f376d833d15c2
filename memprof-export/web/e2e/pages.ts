/** Makes pages with the program `memprof`, whose path is in the variable `MEMPROF`. */

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileOf, FOLDER } from "./page";
import { write } from "./recordings";

const run = (...args: string[]) => {
  const memprof = process.env.MEMPROF;
  if (!memprof) throw new Error("set MEMPROF to the path of the program, or run `cargo xtask browser`");
  return execFileSync(memprof, args, { stdio: "pipe", encoding: "utf8" });
};

/** Returns what a command prints of a recording. */
export const printed = (command: string, name: string) => run(command, join(FOLDER, `${name}.json`));

const makePage = (name: string, recording: string) => run("html", "--force", "-o", fileOf(name), recording);

/** Writes a recording by hand, and makes its page. */
export const make = async (name: string) => {
  await write(FOLDER, name);
  makePage(name, join(FOLDER, `${name}.json`));
};

/** Makes the page of a profile without a session, in the form that tests write. */
export const makeProfile = () => makePage("profile", resolve("../../tests/data/json/model.json"));
