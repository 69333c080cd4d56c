import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { eventually, signIn } from '../server-process.ts'
import {
  askForLetter,
  email,
  flaws,
  focused,
  letter,
  LINK,
  openBeforeTests,
  OWNER,
  passThrough,
  password,
  pathOf,
  send,
  septet,
  signedIn,
  stored,
  submit,
  toasted,
  toSignUp,
  visit,
} from './sign-in-page.ts'

openBeforeTests()

beforeAll(() => signIn(septet, OWNER))

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

describe('the error catalog of the specification', () => {
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

  test('an address that has an account is told so', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, OWNER, 'Sign Up')
      expect(await toasted(page, 'Account exists', 'This email is already registered. Try signing in instead.')).toBe(
        true,
      )
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

  test.each(['/dashboard', '/dashboard/settings/account'])(
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

  test.each(['https://evil.example/dashboard', '/dashboard/../api', '/demo'])(
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

  test.each(['/', '/dashboard'])('tokens in the fragment of %s leave the session as it is', async (path) => {
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

test('a wrong code for a forgotten password is refused', async () => {
  await visit({}, async (page) => {
    await page.route('**/auth/v1/recover*', (route) => route.fulfill({ json: {} }))
    await askForLetter(page)
    await page.getByLabel('Six-digit code').fill('000 000')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await toasted(page, 'Error', 'Token has expired or is invalid')).toBe(true)
  })
})
