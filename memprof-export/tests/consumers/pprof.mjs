// Adds up one value of all samples of pprof files: inuse_space FILE…
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [counted, ...files] = process.argv.slice(2);
const { Profile } = createRequire(import.meta.url)("pprof-format");
let sum = 0n;
for (const file of files) {
  const profile = Profile.decode(gunzipSync(readFileSync(file)));
  const texts = profile.stringTable.strings;
  const index = profile.sampleType.findIndex((type) => texts[Number(type.type)] === counted);
  if (index < 0) throw new Error(`no ${counted} in ${file}`);
  for (const sample of profile.sample) sum += BigInt(sample.value[index]);
  for (const fn of profile.function) {
    if (Number(fn.systemName) !== 0) throw new Error("a function has a system name");
  }
}
console.log(String(sum));
