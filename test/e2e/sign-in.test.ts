import { setTimeout as sleep } from 'node:timers/promises'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { axeFindings, overflow } from '../page-flaws.ts'
import { eventually, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

/** The one address that may sign up where nothing else is set. */
const OWNER = { email: 'admin@septet.local', password: 'a long enough password' }

let septet: SeptetProcess
let browser: Browser
let open: Windows

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([startSeptet({ environment: { SEPTET_DEMO: 'off' } }), openBrowser()])
  open = windowsOf(browser)
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

type Visit = {
  readonly path?: string
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly alone?: boolean
} & BrowserContextOptions

/** Opens a page in a browser that knows nothing yet, and fails on any error that the page itself throws. */
async function visit(
  { path = '/auth', prepare, ...options }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await open({ viewport: { width: 1280, height: 800 }, ...options })
  await prepare?.(page)
  page.setDefaultTimeout(60_000)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await page.goto(`${septet.url}${path}`)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await page.close()
  }
}

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const submit = (page: Page, name: 'Sign In' | 'Sign Up') => page.getByRole('button', { name, exact: true })
const toSignUp = (page: Page) => page.getByRole('button', { name: 'No account yet? Sign up' }).click()

async function send(page: Page, account: { email: string; password: string }, name: 'Sign In' | 'Sign Up') {
  await email(page).fill(account.email)
  await password(page).fill(account.password)
  await submit(page, name).click()
}

/** Waits for a toast with that title and that text. */
async function toasted(page: Page, title: string, description: string): Promise<boolean> {
  const shown = page.locator('[data-sonner-toast]').filter({ hasText: title })
  await shown.getByText(title, { exact: true }).waitFor()
  await shown.getByText(description, { exact: true }).waitFor()
  return true
}

/** Signs in by the form, and waits until the page is elsewhere. */
async function passThrough(page: Page): Promise<void> {
  await send(page, OWNER, 'Sign In')
  await page.waitForURL((url) => url.pathname !== '/auth')
}

const pathOf = (page: Page): string => new URL(page.url()).pathname
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('septet-auth'))

/** A browser that has no room left for a session. */
const full = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const room = Object.getPrototypeOf(localStorage)
    const { value: keep } = Object.getOwnPropertyDescriptor(room, 'setItem') ?? {}
    room.setItem = function setItem(this: Storage, key: string, value: string) {
      if (key === 'septet-auth') throw new DOMException('full', 'QuotaExceededError')
      keep.call(this, key, value)
    }
  })

/** A browser that keeps nothing for this site. */
const blocked = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    }),
  )

/** Signs in, and looks at a page behind the sign-in page. */
const signedIn = (path: string, look: (page: Page) => Promise<void>) =>
  visit({ path: `/auth?next=${encodeURIComponent(path)}` }, async (page) => {
    await passThrough(page)
    await look(page)
  })

/** What axe finds on a page, and whether it is wider than its window. */
async function flaws(page: Page): Promise<string[]> {
  const found = await axeFindings(page)
  return (await overflow(page)) === 0 ? found : [...found, `${page.url()} is wider than its window`]
}

/** What a letter's link looks like. */
const LINK = /https?:\S+\/auth\?\S*token_hash=\S+/u

/** The newest letter of the outbox, read by the admin that its reader asks for help. */
const letter = async (headers: { authorization: string }): Promise<string> => {
  const answer = await fetch(`${septet.url}/api/v1/mails?limit=1`, { headers })
  const { mails }: { mails: { text: string }[] } = await answer.json()
  return mails[0]?.text ?? ''
}

describe('the error catalog of the specification, on the first account there is', () => {
  test('an address that is not authorized is stopped in the browser', async () => {
    await visit({}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      expect(await toasted(page, 'Access Restricted', 'Sign up is restricted to authorized users only')).toBe(true)
      expect(asked).toContain('/auth/may-sign-up')
      expect(asked).not.toContain('/auth/v1/signup')
      await expect.poll(() => focused(page)).toBe('email')
    })
  })

  test('and again by the server, with the same toast, when the browser could not ask', async () => {
    await visit({}, async (page) => {
      await page.route('**/auth/may-sign-up', (route) => route.fulfill({ status: 429, body: '{}' }))
      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      expect(await toasted(page, 'Access Restricted', 'Sign up is restricted to authorized users only')).toBe(true)
    })
  })

  test('any other error has the title "Error" and the words of the server', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, { email: OWNER.email, password: 'short' }, 'Sign Up')
      expect(await toasted(page, 'Error', 'Password should be at least 12 characters.')).toBe(true)
      await expect.poll(() => focused(page)).toBe('password')
    })
  })

  test('a sign-up succeeds, gives its session back, and leads to the sign-in with the address kept', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, OWNER, 'Sign Up')
      expect(await toasted(page, 'Success', 'Account created successfully! You can now sign in.')).toBe(true)
      await submit(page, 'Sign In').waitFor()
      await expect.poll(() => email(page).inputValue()).toBe(OWNER.email)
      await expect.poll(() => password(page).inputValue()).toBe('')
      await expect.poll(() => focused(page)).toBe('password')
      await expect.poll(() => stored(page)).toBeNull()
      expect(pathOf(page)).toBe('/auth')
    })
  })

  test('an address that has an account is told so', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, OWNER, 'Sign Up')
      expect(await toasted(page, 'Account exists', 'This email is already registered. Try signing in instead.')).toBe(
        true,
      )
    })
  })

  test('a wrong password is answered in the words of the server', async () => {
    await visit({}, async (page) => {
      await send(page, { email: OWNER.email, password: 'not that one, another' }, 'Sign In')
      expect(await toasted(page, 'Error', 'Invalid login credentials')).toBe(true)
      await page.getByTestId('said').waitFor()
    })
  })

  test('what nobody foresaw is an unexpected error, and the form stays usable', async () => {
    await visit({ prepare: full }, async (page) => {
      await send(page, OWNER, 'Sign In')
      expect(await toasted(page, 'Error', 'An unexpected error occurred.')).toBe(true)
      await expect.poll(() => submit(page, 'Sign In').isEnabled()).toBe(true)
    })
  })
})

describe('the form', () => {
  test('asks for an address and a password, both required, as password managers expect them', async () => {
    await visit({}, async (page) => {
      await page.getByRole('heading', { name: 'Sign In or Create Account' }).waitFor()
      const attributes = (field: typeof email) =>
        field(page).evaluate((input: HTMLInputElement) => [input.type, input.required, input.autocomplete])
      await expect.poll(() => attributes(email)).toEqual(['email', true, 'username'])
      await expect.poll(() => attributes(password)).toEqual(['password', true, 'current-password'])
      await toSignUp(page)
      await expect.poll(() => attributes(password)).toEqual(['password', true, 'new-password'])
      await submit(page, 'Sign Up').waitFor()
      await page.getByRole('button', { name: 'Show password' }).click()
      await expect.poll(() => attributes(password)).toEqual(['text', true, 'new-password'])
    })
  })

  test('says "Loading..." and cannot be sent again while it is being sent', async () => {
    await visit({}, async (page) => {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/auth/v1/token*', async (route) => {
        await held
        await route.continue()
      })
      await send(page, { email: OWNER.email, password: 'wrong but long enough' }, 'Sign In')
      const busy = page.getByRole('button', { name: 'Loading...' })
      await busy.waitFor()
      expect(await busy.isDisabled()).toBe(true)
      release()
      await submit(page, 'Sign In').waitFor()
    })
  })

  test('works by keyboard alone, in the order that it is read', async () => {
    await visit({}, async (page) => {
      await email(page).focus()
      await page.keyboard.type(OWNER.email)
      await page.keyboard.press('Tab')
      await expect.poll(() => focused(page)).toBe('password')
      await page.keyboard.type(OWNER.password)
      const names: (string | null | undefined)[] = []
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('Tab')
        names.push(
          await page.evaluate(
            () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
          ),
        )
      }
      expect(names).toEqual(['Show password', 'Sign In', 'No account yet? Sign up', 'Forgot password?'])
      await password(page).focus()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === '/')
    })
  })

  test.each([
    [
      'the server is not responding',
      (page: Page) => page.route('**/auth/v1/token*', (route) => route.abort()),
      /is not responding/u,
    ],
    ['this computer is offline', (page: Page) => page.context().setOffline(true), /offline/u],
  ])('when %s it says so, and what was typed stays', async (_name, cut, words) => {
    await visit({}, async (page) => {
      await page.getByRole('link', { name: 'Live demo, no account needed' }).waitFor()
      await cut(page)
      onTestFinished(() => page.context().setOffline(false))
      await send(page, OWNER, 'Sign In')
      await page.getByTestId('said').filter({ hasText: words }).waitFor({ timeout: 45_000 })
      await expect.poll(() => email(page).inputValue()).toBe(OWNER.email)
      await expect.poll(() => password(page).inputValue()).toBe(OWNER.password)
      await expect.poll(() => submit(page, 'Sign In').isEnabled()).toBe(true)
    })
  })

  test('when the browser keeps nothing it says what that means', async () => {
    await visit({ prepare: blocked }, async (page) => {
      await page.getByText('a sign-in is forgotten as soon as you leave the page').waitFor()
      await send(page, { email: OWNER.email, password: 'not that one, another' }, 'Sign In')
      expect(await toasted(page, 'Error', 'Invalid login credentials')).toBe(true)
    })
  })

  test('without scripts it says what it needs them for', async () => {
    await visit({ javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('noscript').innerText()).toContain('Signing in needs JavaScript')
    })
  })
})

/** Moves a clock that stands still as little as it takes until so many are there. */
async function appears(page: Page, count: () => Promise<number>, wanted: number): Promise<void> {
  const tick = async (): Promise<number> => {
    await page.clock.runFor(1)
    return count()
  }
  await expect.poll(tick).toBe(wanted)
}

describe('toasts', () => {
  test('at most three are seen, and each goes after four seconds; a critical one after five', async () => {
    await visit({ alone: true }, async (page) => {
      await page.clock.install({ time: 0 })
      await page.clock.pauseAt(1000)
      await page.route('**/auth/v1/token*', (route) =>
        route.fulfill({
          status: 400,
          headers: { 'x-supabase-api-version': '2024-01-01' },
          json: { code: 'invalid_credentials', message: 'Invalid login credentials' },
        }),
      )
      const all = page.locator('[data-sonner-toast]')
      const seen = page.locator('[data-sonner-toast][data-visible=true][data-removed=false]')
      const count = (): Promise<number> => seen.count()
      for (let time = 1; time <= 4; time += 1) {
        await send(page, { email: OWNER.email, password: 'wrong' }, 'Sign In')
        await appears(page, () => all.count(), time)
      }
      await expect.poll(count).toBe(3)
      await page.clock.runFor(5_000)
      await expect.poll(count).toBe(0)

      await send(page, { email: OWNER.email, password: 'wrong' }, 'Sign In')
      await appears(page, count, 1)
      await page.clock.runFor(3_800)
      await expect.poll(count).toBe(1)
      await page.clock.runFor(400)
      await expect.poll(count).toBe(0)

      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      await appears(page, count, 1)
      await page.clock.runFor(4_800)
      await expect.poll(count).toBe(1)
      await page.clock.runFor(400)
      await expect.poll(count).toBe(0)
    })
  })
})

describe('going in and out', () => {
  test('a sign-in leads to the front page, and someone with a session does not meet the sign-in page again', async () => {
    await visit({}, async (page) => {
      await passThrough(page)
      expect(pathOf(page)).toBe('/')
      await page.goto(`${septet.url}/auth`)
      await page.waitForURL((url) => url.pathname === '/')
    })
  })

  test.each(['/dashboard', '/dashboard/settings/account', '/dashboard?cluster=sample&range=7d'])(
    'the dashboard is behind the sign-in page, which leads back to %s',
    async (path) => {
      await visit({ path }, async (page) => {
        // The dashboard itself finds out that nobody is signed in, once it runs.
        await expect.poll(() => pathOf(page)).toBe('/auth')
        await passThrough(page)
        await page.waitForURL(`${septet.url}${path}`)
        await page.getByRole('button', { name: `Account: ${OWNER.email}` }).waitFor()
      })
    },
  )

  test.each(['//evil.example/', 'https://evil.example/dashboard', '/dashboard/../api', '/demo'])(
    'the sign-in page leads nowhere else: %s',
    async (next) => {
      await visit({ path: `/auth?next=${encodeURIComponent(next)}` }, async (page) => {
        await passThrough(page)
        expect(page.url()).toBe(`${septet.url}/`)
      })
    },
  )

  test.each([
    ['wide', 1280],
    ['narrow', 360],
  ])('after a sign-in the site shows the account and the way to the dashboard, on a %s page', async (_name, width) => {
    await visit({ viewport: { width, height: 800 } }, async (page) => {
      await passThrough(page)
      const header = page.getByRole('banner')
      if (width < 1000) await header.getByLabel('Menu', { exact: true }).click()
      await header.getByRole('link', { name: OWNER.email }).waitFor()
      // Also where a link is hidden at this width.
      const links = (words: string) => page.locator('a', { hasText: words }).count()
      expect([await links('Sign In'), await links('Get Started for Free')]).toEqual([0, 0])
      expect(await flaws(page)).toEqual([])
      await header.getByRole('link', { name: 'Open dashboard' }).filter({ visible: true }).click()
      await page.waitForURL(`${septet.url}/dashboard`)
      await page.getByRole('button', { name: `Account: ${OWNER.email}` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(`${septet.url}/`)
      await expect.poll(() => links('Sign In')).toBe(2)
      expect(await links('Open dashboard')).toBe(0)
    })
  })

  test('who signs out is out: the page, the server and the session', async () => {
    await visit({ path: '/auth?next=/dashboard' }, async (page) => {
      await passThrough(page)
      const token: string = JSON.parse((await stored(page)) ?? '{}').access_token
      // A slow line: the page must not leave before the server knows.
      await page.route('**/auth/v1/logout?*', async (route) => {
        await sleep(1000)
        await route.continue()
      })
      await page.getByRole('button', { name: `Account: ${OWNER.email}` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(`${septet.url}/`)
      await expect.poll(() => stored(page)).toBeNull()
      const answer = await fetch(`${septet.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(401)
      await page.goto(`${septet.url}/dashboard`)
      expect(pathOf(page)).toBe('/auth')
    })
  })

  test('a session that is ended elsewhere leads to the sign-in page, which says so, and back again', async () => {
    await visit({ path: '/auth?next=/dashboard/settings/tokens' }, async (page) => {
      await passThrough(page)
      await page.getByRole('heading', { name: 'API tokens' }).waitFor()
      const headers = await signIn(septet, OWNER)
      const { sessions }: { sessions: { id: string; current: boolean }[] } = await (
        await fetch(`${septet.url}/api/v1/sessions`, { headers })
      ).json()
      for (const { id, current } of sessions)
        if (!current) await fetch(`${septet.url}/api/v1/sessions/${id}`, { method: 'DELETE', headers })
      // The next question tells the page, unless one that it asked by itself has told it by now.
      const account = page.getByRole('link', { name: 'Account', exact: true })
      const pressed = account.click({ timeout: 10_000 }).catch(() => undefined)
      await page.waitForURL((url) => url.pathname === '/auth')
      await pressed
      await page.getByText('You were signed out: the session is over or was ended elsewhere.').waitFor()
      await passThrough(page)
      await expect.poll(() => pathOf(page)).toMatch(/^\/dashboard\/settings\//u)
    })
  })
})

describe('a link never signs anybody in by itself', () => {
  const TOKENS = 'expires_in=3600&token_type=bearer&type=magiclink'

  test.each(['/auth', '/', '/dashboard'])('tokens in the fragment of %s leave the session as it is', async (path) => {
    const other = await signIn(septet, OWNER)
    const fragment = `access_token=${other.authorization.replace('Bearer ', '')}&refresh_token=x&${TOKENS}`
    await visit({ path: `${path}#${fragment}` }, async (page) => {
      if (path === '/auth') await page.getByText(/A link that carries a sign-in is not followed/u).waitFor()
      else await page.waitForLoadState('networkidle')
      expect(await stored(page)).toBeNull()
    })
    await visit({}, async (page) => {
      await passThrough(page)
      const mine = JSON.parse((await stored(page)) ?? '{}').refresh_token
      await page.goto(`${septet.url}${path}#${fragment}`)
      if (path === '/dashboard') await page.getByRole('button', { name: `Account: ${OWNER.email}` }).waitFor()
      else await page.waitForLoadState('networkidle')
      expect(JSON.parse((await stored(page)) ?? '{}').refresh_token).toBe(mine)
    })
  })

  test('whoever is signed in is told so, and stays who they are until they press the button', async () => {
    const headers = await signIn(septet, OWNER)
    const asked = await fetch(`${septet.url}/auth/v1/otp`, { method: 'POST', body: JSON.stringify(OWNER) })
    expect(asked.status).toBe(200)
    const text = await eventually(
      () => letter(headers),
      (found) => found.includes('type=magiclink'),
    )
    await visit({}, async (page) => {
      await passThrough(page)
      const mine = JSON.parse((await stored(page)) ?? '{}').refresh_token
      await page.goto(LINK.exec(text)?.[0] ?? '')
      await page.getByText(`This browser is signed in as ${OWNER.email}.`).waitFor()
      expect(JSON.parse((await stored(page)) ?? '{}').refresh_token).toBe(mine)
      await page.getByRole('button', { name: 'Sign in with this link' }).click()
      await page.waitForURL(`${septet.url}/`)
      expect(JSON.parse((await stored(page)) ?? '{}').refresh_token).not.toBe(mine)
    })
  })
})

describe('settings', () => {
  test('an API token is shown once, works, and is revoked', async () => {
    await signedIn('/dashboard/settings/tokens', async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('scraper')
      await page.getByRole('button', { name: 'Create token' }).click()
      const secret = await page
        .getByRole('region', { name: 'The secret of scraper' })
        .locator('code')
        .first()
        .innerText()
      expect(secret).toMatch(/^spt_/u)
      const ask = () => fetch(`${septet.url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })
      expect(await (await ask()).json()).toMatchObject({ kind: 'token', name: 'token:scraper', role: 'viewer' })
      await page.reload()
      await page.getByText('scraper', { exact: true }).waitFor()
      expect(await page.locator('body').innerText()).not.toContain(secret)
      await page.getByRole('button', { name: 'Revoke scraper' }).click()
      const asked = page.getByRole('alertdialog', { name: 'Revoke scraper?' })
      await asked.getByText('Clients using it stop working at once.').waitFor()
      expect((await ask()).status).toBe(200)
      await asked.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('revoked', { exact: true }).waitFor()
      expect((await ask()).status).toBe(401)
    })
  })

  test('what was done stands in the audit log, and can be kept as a file', async () => {
    await signedIn('/dashboard/settings/audit', async (page) => {
      await page.getByText('account.sign-in', { exact: true }).first().waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export all (NDJSON)' }).click()
      expect((await download).suggestedFilename()).toBe('septet-audit.ndjson')
    })
  })

  test('other devices are listed and can be signed out', async () => {
    await signedIn('/dashboard/settings/account', async (page) => {
      const headers = await signIn(septet, OWNER)
      await page.reload()
      await page
        .getByRole('button', { name: /^Sign out node, / })
        .first()
        .click()
      await page.getByText('Signed out node.').waitFor()
      expect((await fetch(`${septet.url}/api/v1/me`, { headers })).status).toBe(401)
    })
  })
})

describe.each(['light', 'dark'] as const)('everyone can use it, %s', (colorScheme) => {
  describe.each([360, 1280])('%d pixels wide', (width) => {
    const viewport = { width, height: 800 }

    test('the sign-in page, with its toasts', async () => {
      await visit({ colorScheme, viewport, reducedMotion: 'reduce' }, async (page) => {
        await page.getByRole('link', { name: 'Live demo, no account needed' }).waitFor()
        expect(await flaws(page)).toEqual([])
        await toSignUp(page)
        await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
        expect(await toasted(page, 'Access Restricted', 'Sign up is restricted to authorized users only')).toBe(true)
        expect(await flaws(page)).toEqual([])
        await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
        await page.getByRole('button', { name: 'Forgot password?' }).click()
        await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
        expect(await flaws(page)).toEqual([])
      })
    })
  })
})

test('nothing moves by itself for those who asked for that', async () => {
  await visit({ reducedMotion: 'reduce' }, async (page) => {
    await toSignUp(page)
    await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
    await page.getByTestId('said').waitFor()
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })
})

describe('a forgotten password', () => {
  const next = { ...OWNER, password: 'an even longer new password' }

  const ask = async (page: Page): Promise<void> => {
    await email(page).fill(OWNER.email)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect.poll(() => email(page).inputValue()).toBe(OWNER.email)
    await page.getByRole('button', { name: 'Send email' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
  }

  test('is replaced by way of the link in the letter, which works once', async () => {
    const headers = await signIn(septet, OWNER)
    let link = ''
    await visit({}, async (page) => {
      await ask(page)
      // The answer does not wait for the letter, or its time would tell who has an account.
      const text = await eventually(
        () => letter(headers),
        (found) => found.includes('type=recovery'),
      )
      link = LINK.exec(text)?.[0] ?? ''
    })
    // A mail scanner opens the link, and the reader is at another device than the one that asked.
    expect((await fetch(link)).status).toBe(200)
    await visit({}, async (page) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
      expect(await stored(page)).toBeNull()
      expect(await flaws(page)).toEqual([])
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
      await expect.poll(() => page.url()).not.toContain('token')
      await page.getByText(OWNER.email).waitFor()
      await page.getByLabel('New password').fill('short')
      await page.getByRole('button', { name: 'Set the password' }).click()
      expect(await toasted(page, 'Error', 'Password should be at least 12 characters.')).toBe(true)
      await page.getByLabel('New password').fill(next.password)
      await page.getByRole('button', { name: 'Set the password' }).click()
      await page.waitForURL(`${septet.url}/`)
    })
    await visit({ path: '/auth' }, async (page) => {
      await page.goto(link)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByTestId('said').filter({ hasText: 'Email link is invalid or has expired' }).waitFor()
      await page.getByRole('button', { name: 'Back to sign in' }).click()
      await send(page, next, 'Sign In')
      await page.waitForURL((url) => url.pathname === '/')
    })
  })

  test('a wrong code is refused', async () => {
    await visit({}, async (page) => {
      await page.route('**/auth/v1/recover*', (route) => route.fulfill({ json: {} }))
      await ask(page)
      await page.getByLabel('Six-digit code').fill('000 000')
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await toasted(page, 'Error', 'Token has expired or is invalid')).toBe(true)
    })
  })
})
