/** The rules of the linter. `cargo xtask page` copies this file to the folder of the tools, which it imports. */

import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["contents.d.ts", "eslint.config.js"] },
  eslint.configs.recommended,
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Names of programs are text: use textContent." },
      ],
      "prefer-const": "error",
      "prefer-template": "error",
      // Types of the contents are generated as a namespace.
      "@typescript-eslint/no-namespace": "off",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  // TypeScript itself checks names. The script, which runs later, reads the only name of the loader.
  {
    files: ["**/*.js"],
    rules: { "no-undef": "off", "no-unused-vars": "off", "@typescript-eslint/no-unused-vars": "off" },
  },
);
