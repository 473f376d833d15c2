import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["src/contents.d.ts"] },
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
  // The bundle uses the loader's only name.
  { files: ["src/loader.ts"], rules: { "@typescript-eslint/no-unused-vars": "off" } },
  // These files run in Node, and TypeScript does not check their names.
  { files: ["**/*.js"], rules: { "no-undef": "off" } },
);
