import { signIn } from '../../content/navigation.json'

/**
 * Pages of the site are the same for everyone, so what they say to somebody who is signed in is said by this script: the
 * account in the place of "Sign In", and the dashboard in the place of every way to begin. Whether the session still
 * counts is for the dashboard to find out.
 */
export function showAccount(page: ParentNode, kept: string): void {
  const email = emailOf(kept)
  if (email === undefined) return
  for (const link of page.querySelectorAll<HTMLAnchorElement>(`a[href="${signIn.href}"]`)) {
    const isSignIn = link.textContent === signIn.label
    link.href = isSignIn ? '/dashboard/settings/account' : '/dashboard'
    if (isSignIn) link.replaceChildren(accountName(email))
    else link.textContent = 'Open dashboard'
  }
}

/** An address may be longer than the bar is wide. */
function accountName(email: string): HTMLElement {
  const name = document.createElement('span')
  name.className = 'block max-w-48 truncate'
  name.title = `Signed in as ${email}`
  name.textContent = email
  return name
}

function emailOf(kept: string): string | undefined {
  try {
    const session: unknown = JSON.parse(kept)
    if (!isRecord(session) || typeof session['refresh_token'] !== 'string') return undefined
    const user = session['user']
    return isRecord(user) && typeof user['email'] === 'string' && user['email'] !== '' ? user['email'] : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
