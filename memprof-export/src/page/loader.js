// `cargo xtask page` generates this file from the folder memprof-export/web. Edit that.
"use strict";
const Packed = (() => {
  const fromBase64 = (letters) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
    const binary = atob(letters);
    const bytes2 = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes2[at] = binary.charCodeAt(at);
    return bytes2;
  };
  const bytes = async (id) => {
    const packed = fromBase64(document.getElementById(id)?.textContent.trim() ?? "");
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const run = async () => {
    const text = new TextDecoder().decode(await bytes("script"));
    const policy = window.trustedTypes?.createPolicy("memprof", { createScript: (script) => script });
    const element = document.createElement("script");
    element.textContent = policy ? policy.createScript(text) : text;
    document.body.append(element);
  };
  run();
  return { bytes };
})();
