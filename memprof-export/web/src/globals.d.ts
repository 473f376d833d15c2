// Browser functions that the type checker's library lacks.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScript(text: string): string }): { createScript(text: string): string };
}

interface Window {
  trustedTypes?: TrustedTypes;
}

interface Uint8ArrayConstructor {
  fromBase64?(letters: string): Uint8Array<ArrayBuffer>;
}
