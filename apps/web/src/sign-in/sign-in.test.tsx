import { screen, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import type { SignInInfo } from '@septet/contract'
import { SIGN_IN_INFO_PATH, MAY_SIGN_UP_PATH } from '@septet/contract/routes'
import { createRoot } from 'react-dom/client'
import { toast } from 'sonner'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { showToast, Toasts } from '../ui/Toasts.tsx'
import { CredentialsForm } from './CredentialsForm.tsx'
import { MESSAGES } from './messages.ts'

const PASSWORD = 'correct horse battery'
const INFO: SignInInfo = { mode: 'embedded', url: 'http://localhost', key: 'k', demo: true, needsSetupSecret: false }
const WRONG = { code: 'invalid_credentials', message: 'Invalid login credentials' }

/** What the server answers, by the end of a path. */
let answers: Readonly<Record<string, () => Response | Promise<Response>>>
const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  answers = { [SIGN_IN_INFO_PATH]: () => Response.json(INFO) }
  vi.stubGlobal('fetch', async (url: string | URL) => {
    const { pathname } = new URL(url, location.origin)
    asked.push(pathname)
    return answers[pathname]?.() ?? Promise.reject(new TypeError('Failed to fetch'))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const refusal = (body: { readonly code: string; readonly message: string }, status = 400): Response =>
  Response.json(body, { status, headers: { 'x-supabase-api-version': '2024-01-01' } })

/** The form and its toasts. */
function openForm() {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    toast.dismiss()
    root.unmount()
    document.body.replaceChildren()
  })
  root.render(
    <>
      <CredentialsForm signInInfo={INFO} signedIn={() => Promise.resolve()} forgot={() => undefined} />
      <Toasts />
    </>,
  )
  const user = userEvent.setup()
  return {
    user,
    button: (name: string) => screen.findByRole('button', { name }),
    send: async (mode: 'Sign In' | 'Sign Up') => {
      await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
      await user.type(screen.getByLabelText('Password'), PASSWORD)
      await user.click(screen.getByRole('button', { name: mode }))
    },
  }
}

/** What the toast in that corner says, once it is there. */
const toasted = async (corner: 'Messages' | 'Important messages', title: string): Promise<string | null> =>
  (await within(screen.getByRole('region', { name: new RegExp(`^${corner}`, 'u') })).findByText(title)).closest('li')
    ?.textContent ?? null

describe('the form', () => {
  test('says "Loading..." and cannot be sent again while it is being sent', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<Response>()
    answers = { ...answers, '/auth/v1/token': () => held }
    const { user, send, button } = openForm()
    await send('Sign In')
    const busy = await button('Loading...')
    expect((busy as HTMLButtonElement).disabled).toBe(true)
    await user.type(screen.getByLabelText('Password'), '{Enter}')
    release(refusal(WRONG))
    expect(((await button('Sign In')) as HTMLButtonElement).disabled).toBe(false)
    expect(asked.filter((path) => path === '/auth/v1/token')).toHaveLength(1)
  })

  test('a wrong password is told in a corner, and on the form for as long as it stands', async () => {
    answers = { ...answers, '/auth/v1/token': () => refusal(WRONG) }
    const { send } = openForm()
    await send('Sign In')
    expect(await toasted('Messages', 'Error')).toBe('ErrorInvalid login credentials')
    expect(screen.getByTestId('said').textContent).toBe('Error: Invalid login credentials')
  })

  test('an address that may not sign up is told so in the corner of what is critical, and nothing is sent', async () => {
    answers = { ...answers, [MAY_SIGN_UP_PATH]: () => Response.json({ allowed: false }) }
    const { user, send, button } = openForm()
    await user.click(await button('No account yet? Sign up'))
    await send('Sign Up')
    const { title, description } = MESSAGES.accessRestricted
    expect(await toasted('Important messages', title)).toBe(`${title}${description}`)
    expect(asked).not.toContain('/auth/v1/signup')
  })

  test('an account that was made is told, and the form is for signing in', async () => {
    answers = {
      ...answers,
      [MAY_SIGN_UP_PATH]: () => Response.json({ allowed: true }),
      '/auth/v1/signup': () => Response.json({ id: 'x', email: 'ada@example.com' }),
    }
    const { user, send, button } = openForm()
    await user.click(await button('No account yet? Sign up'))
    await send('Sign Up')
    const { title, description } = MESSAGES.signedUp
    expect(await toasted('Messages', title)).toBe(`${title}${description}`)
    await button('Sign In')
  })
})

/** Time goes on, and the page with it. */
async function later(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 100))
    await new Promise(setImmediate)
  }
}
const seen = (): number =>
  document.querySelectorAll('[data-sonner-toast][data-visible=true][data-removed=false]').length

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('at most three are seen, and each goes after four seconds; a critical one after five', async () => {
    const root = createRoot(document.body.appendChild(document.createElement('div')))
    onTestFinished(() => {
      root.unmount()
      document.body.replaceChildren()
    })
    root.render(<Toasts />)
    await later(100)
    for (let time = 0; time < 4; time += 1) showToast(MESSAGES.unexpected)
    await later(200)
    expect(seen()).toBe(3)
    await later(4500)
    expect(seen()).toBe(0)

    showToast(MESSAGES.unexpected)
    showToast(MESSAGES.accessRestricted)
    await later(3800)
    expect(seen()).toBe(2)
    await later(600)
    expect(seen()).toBe(1)
    await later(1000)
    expect(seen()).toBe(0)
  })
})
