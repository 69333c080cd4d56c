/**
 * A link from a letter may end at any page of the site, with a session or a refusal in its fragment. Only the sign-in page can
 * read that, so whoever arrives with one goes on there, and nothing of it stays in the history.
 */
export function handLinkToSignIn(page: Pick<Location, 'hash' | 'replace'>): void {
  const fragment = new URLSearchParams(page.hash.replace(/^#/u, ''))
  if (fragment.has('access_token') || fragment.has('error_code')) page.replace(`/auth${page.hash}`)
}
