// Browser functions that the type checker's library lacks, and values that scripts share through
// the window.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScript(text: string): string }): { createScript(text: string): string };
}

interface Window {
  trustedTypes?: TrustedTypes;
  /** The data of the page, for tests. */
  __memprof: object;
}

interface Uint8ArrayConstructor {
  fromBase64?(letters: string): Uint8Array<ArrayBuffer>;
}
