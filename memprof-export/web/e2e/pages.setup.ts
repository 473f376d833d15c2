import { test } from "@playwright/test";
import { make, makeProfile } from "./pages";
import { SMALL } from "./recordings";

for (const name of Object.keys(SMALL)) test(name, () => make(name));
test("profile", makeProfile);
