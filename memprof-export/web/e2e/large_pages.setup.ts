import { test } from "@playwright/test";
import { make } from "./pages";
import { LARGE } from "./recordings";

for (const name of Object.keys(LARGE)) test(name, () => make(name));
