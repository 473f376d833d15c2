/** Unpacks the contents of the page and runs its script. The script is compressed, so that a page
 * with few contents is small. The page's policy contains the hashes of this code and of the
 * script, so no other script can run. */
const Packed = (() => {
  const fromBase64 = (letters: string) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
    const binary = atob(letters);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  };

  /** Returns the content of an element as bytes. */
  const bytes = async (id: string) => {
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
