/**
 * Where a successful sign-in leads: the `next` of the address if it is a page of the dashboard on this very origin, else
 * the front page. Anything a browser could read as another place (`//host`, `/\host`, `javascript:`, dot segments that
 * climb out) is not followed.
 */
export function nextPath(search: string, origin: string): string {
  const wanted = new URLSearchParams(search).get('next')
  if (wanted === null || !wanted.startsWith('/')) return HOME
  const url = parse(wanted, origin)
  if (url === undefined || url.origin !== origin || !isDashboard(url.pathname)) return HOME
  return `${url.pathname}${url.search}${url.hash}`
}

/** The address of the sign-in page, which leads back to where someone was going. */
export const signInTo = (path: string): string => `/auth?next=${encodeURIComponent(path)}`

/** The front page, where a sign-in without a wish ends. */
export const HOME = '/'

const isDashboard = (path: string): boolean => path === '/dashboard' || path.startsWith('/dashboard/')

function parse(wanted: string, origin: string): URL | undefined {
  try {
    return new URL(wanted, origin)
  } catch {
    return undefined
  }
}
