/** Tests of shortened names. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { shortPlace } from "../src/found";

const visit = "<serde_json::value::de::deserialize::ValueVisitor as serde_core::de::Visitor>::visit_str";
const file = "serde_json-1.0.154/src/value/de.rs:79";

test("a call site has short functions, and whole files and lines", () => {
  assert.equal(
    shortPlace(`app::parse (src/app.rs:18) → ${visit} (${file})`, 60),
    `app::parse (src/app.rs:18) → <serde_json::value::de::deserialize::Val…Visitor>::visit_str (${file})`,
  );
  const folders = `${"folder/".repeat(60)}de.rs:79`;
  assert.equal(shortPlace(`parse (${folders})`, 60), `parse (${folders})`);
  assert.equal(shortPlace(folders, 60), folders);
});

test("a call site without a file is as short as its function", () => {
  assert.equal(shortPlace("f".repeat(500), 60).length, 60);
  assert.equal(shortPlace("app+0x93b6ee"), "app+0x93b6ee");
  assert.equal(shortPlace(""), "(no name)");
});
