/** A file of the build: its path on the site, and what is in it. */
export type SiteFile = { readonly path: string; readonly text: string }

/** Data that a page loads. Its name carries a hash of its content, so a browser may keep it for good. */
export async function hashedFile(name: string, text: string): Promise<SiteFile> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const digest = Array.from(hash.slice(0, 5), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { path: `/assets/${name}-${digest}.json`, text }
}
