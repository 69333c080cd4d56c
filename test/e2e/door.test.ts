import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import { removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

/** The one address that may sign up where nothing else is set. */
const OWNER = { email: 'admin@septet.local', password: 'a long enough password' }

let septet: SeptetProcess
let browser: Browser

beforeAll(async () => {
  ;[septet, browser] = await Promise.all([startSeptet(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

type Visit = {
  readonly path?: string
  readonly prepare?: (context: BrowserContext) => Promise<void>
} & BrowserContextOptions

/** Opens a page in a browser that knows nothing yet, and fails on any error that the page itself throws. */
async function visit(
  { path = '/auth', prepare, ...options }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  await prepare?.(context)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await page.goto(`${septet.url}${path}`)
    await look(page)
    expect(thrown).toEqual([])
  } finally {
    await context.close()
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

/** A toast with that title and that text. */
async function toast(page: Page, title: string, description: string): Promise<void> {
  const shown = page.locator('[data-sonner-toast]').filter({ hasText: title })
  await shown.getByText(title, { exact: true }).waitFor()
  await shown.getByText(description, { exact: true }).waitFor()
}

/** Signs in by the form, and waits until the page is elsewhere. */
async function passThrough(page: Page): Promise<void> {
  await send(page, OWNER, 'Sign In')
  await page.waitForURL((url) => url.pathname !== '/auth')
}

const pathOf = (page: Page): string => new URL(page.url()).pathname
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('septet-auth'))

describe('the error catalog of the specification, on the first account there is', () => {
  test('an address that is not authorized is stopped in the browser', async () => {
    await visit({}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      await toast(page, 'Access Restricted', 'Sign up is restricted to authorized users only')
      expect(asked).toContain('/auth/may-sign-up')
      expect(asked).not.toContain('/auth/v1/signup')
      expect(await focused(page)).toBe('email')
    })
  })

  test('and again by the server, with the same toast, when the browser could not ask', async () => {
    await visit({}, async (page) => {
      await page.route('**/auth/may-sign-up', (route) => route.fulfill({ status: 429, body: '{}' }))
      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      await toast(page, 'Access Restricted', 'Sign up is restricted to authorized users only')
    })
  })

  test('any other error has the title "Error" and the words of the server', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, { email: OWNER.email, password: 'short' }, 'Sign Up')
      await toast(page, 'Error', 'Password should be at least 12 characters.')
      expect(await focused(page)).toBe('password')
    })
  })

  test('a sign-up succeeds, gives its session back, and leads to the sign-in with the address kept', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, OWNER, 'Sign Up')
      await toast(page, 'Success', 'Account created successfully! You can now sign in.')
      await submit(page, 'Sign In').waitFor()
      expect(await email(page).inputValue()).toBe(OWNER.email)
      expect(await password(page).inputValue()).toBe('')
      expect(await focused(page)).toBe('password')
      expect(await stored(page)).toBeNull()
      expect(pathOf(page)).toBe('/auth')
    })
  })

  test('an address that has an account is told so', async () => {
    await visit({}, async (page) => {
      await toSignUp(page)
      await send(page, OWNER, 'Sign Up')
      await toast(page, 'Account exists', 'This email is already registered. Try signing in instead.')
    })
  })

  test('a wrong password is answered in the words of the server', async () => {
    await visit({}, async (page) => {
      await send(page, { email: OWNER.email, password: 'not that one, another' }, 'Sign In')
      await toast(page, 'Error', 'Invalid login credentials')
      await page.getByTestId('said').waitFor()
    })
  })

  test('what nobody foresaw is an unexpected error, and the form stays usable', async () => {
    const full = async (context: BrowserContext) => {
      await context.addInitScript(() => {
        const keep = Storage.prototype.setItem
        Storage.prototype.setItem = function setItem(this: Storage, key: string, value: string) {
          if (key === 'septet-auth') throw new DOMException('full', 'QuotaExceededError')
          keep.call(this, key, value)
        }
      })
    }
    await visit({ prepare: full }, async (page) => {
      await send(page, OWNER, 'Sign In')
      await toast(page, 'Error', 'An unexpected error occurred.')
      expect(await submit(page, 'Sign In').isEnabled()).toBe(true)
    })
  })
})

describe('the form', () => {
  test('asks for an address and a password, both required, as password managers expect them', async () => {
    await visit({}, async (page) => {
      await page.getByRole('heading', { name: 'Sign In or Create Account' }).waitFor()
      const attributes = (field: typeof email) =>
        field(page).evaluate((input: HTMLInputElement) => [input.type, input.required, input.autocomplete])
      expect(await attributes(email)).toEqual(['email', true, 'username'])
      expect(await attributes(password)).toEqual(['password', true, 'current-password'])
      await toSignUp(page)
      expect(await attributes(password)).toEqual(['password', true, 'new-password'])
      await submit(page, 'Sign Up').waitFor()
      await page.getByRole('button', { name: 'Show password' }).click()
      expect(await attributes(password)).toEqual(['text', true, 'new-password'])
    })
  })

  test('says "Loading..." and cannot be sent again while it is being sent', async () => {
    await visit({}, async (page) => {
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => (release = resolve))
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
      expect(await focused(page)).toBe('password')
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
      'the server does not answer',
      (page: Page) => page.route('**/auth/v1/token*', (route) => route.abort()),
      /does not answer/u,
    ],
    ['this computer is offline', (page: Page) => page.context().setOffline(true), /offline/u],
  ])('when %s it says so, and what was typed stays', async (_name, cut, words) => {
    await visit({}, async (page) => {
      await page.getByRole('link', { name: 'Live demo, no account needed' }).waitFor()
      await cut(page)
      await send(page, OWNER, 'Sign In')
      await page.getByTestId('said').filter({ hasText: words }).waitFor({ timeout: 45_000 })
      expect(await email(page).inputValue()).toBe(OWNER.email)
      expect(await password(page).inputValue()).toBe(OWNER.password)
      expect(await submit(page, 'Sign In').isEnabled()).toBe(true)
    })
  })

  test('when the browser keeps nothing it says what that means', async () => {
    const blocked = (context: BrowserContext) =>
      context.addInitScript(() =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('denied', 'SecurityError')
          },
        }),
      )
    await visit({ prepare: async (context) => void (await blocked(context)) }, async (page) => {
      await page.getByText('a sign-in is forgotten as soon as you leave the page').waitFor()
      await send(page, { email: OWNER.email, password: 'not that one, another' }, 'Sign In')
      await toast(page, 'Error', 'Invalid login credentials')
    })
  })

  test('without scripts it says what it needs them for', async () => {
    await visit({ javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('noscript').innerText()).toContain('Signing in needs JavaScript')
    })
  })
})

describe('toasts', () => {
  test('at most three are seen, and each goes after four seconds; a critical one after five', async () => {
    await visit({}, async (page) => {
      await page.clock.install()
      await page.route('**/auth/v1/token*', (route) =>
        route.fulfill({
          status: 400,
          headers: { 'x-supabase-api-version': '2024-01-01' },
          json: { code: 'invalid_credentials', message: 'Invalid login credentials' },
        }),
      )
      const seen = page.locator('[data-sonner-toast][data-visible=true][data-removed=false]')
      for (let time = 1; time <= 4; time += 1) {
        await send(page, { email: OWNER.email, password: 'wrong' }, 'Sign In')
        await page
          .locator('[data-sonner-toast]')
          .nth(time - 1)
          .waitFor({ state: 'attached' })
      }
      expect(await seen.count()).toBe(3)
      await page.clock.runFor(5_000)
      expect(await seen.count()).toBe(0)

      await send(page, { email: OWNER.email, password: 'wrong' }, 'Sign In')
      await seen.first().waitFor()
      await page.clock.runFor(3_800)
      expect(await seen.count()).toBe(1)
      await page.clock.runFor(400)
      expect(await seen.count()).toBe(0)

      await toSignUp(page)
      await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
      await seen.first().waitFor()
      await page.clock.runFor(4_800)
      expect(await seen.count()).toBe(1)
      await page.clock.runFor(400)
      expect(await seen.count()).toBe(0)
    })
  })
})

describe('going in and out', () => {
  test('a sign-in leads to the front page, and someone with a session does not meet the door again', async () => {
    await visit({}, async (page) => {
      await passThrough(page)
      expect(pathOf(page)).toBe('/')
      await page.goto(`${septet.url}/auth`)
      await page.waitForURL((url) => url.pathname === '/')
    })
  })

  test.each(['/dashboard', '/dashboard/settings/account', '/dashboard?cluster=sample&range=7d'])(
    'the dashboard is behind the door, which leads back to %s',
    async (path) => {
      await visit({ path }, async (page) => {
        expect(pathOf(page)).toBe('/auth')
        await passThrough(page)
        await page.waitForURL(`${septet.url}${path}`)
        await page.getByRole('button', { name: `Account: ${OWNER.email}` }).waitFor()
      })
    },
  )

  test.each(['//evil.example/', 'https://evil.example/dashboard', '/dashboard/../api', '/demo'])(
    'the door leads nowhere else: %s',
    async (next) => {
      await visit({ path: `/auth?next=${encodeURIComponent(next)}` }, async (page) => {
        await passThrough(page)
        expect(page.url()).toBe(`${septet.url}/`)
      })
    },
  )

  test('who signs out is out: the page, the server and the session', async () => {
    await visit({ path: '/auth?next=/dashboard' }, async (page) => {
      await passThrough(page)
      const token: string = JSON.parse((await stored(page)) ?? '{}').access_token
      await page.getByRole('button', { name: `Account: ${OWNER.email}` }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(`${septet.url}/`)
      expect(await stored(page)).toBeNull()
      const answer = await fetch(`${septet.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(401)
      await page.goto(`${septet.url}/dashboard`)
      expect(pathOf(page)).toBe('/auth')
    })
  })

  test('a session that is ended elsewhere leads to the door, which says so, and back again', async () => {
    await visit({ path: '/auth?next=/dashboard/settings/tokens' }, async (page) => {
      await passThrough(page)
      await page.getByRole('heading', { name: 'API tokens' }).waitFor()
      const headers = await signIn(septet, OWNER)
      const { sessions }: { sessions: { id: string; current: boolean }[] } = await (
        await fetch(`${septet.url}/api/v1/sessions`, { headers })
      ).json()
      for (const { id, current } of sessions)
        if (!current) await fetch(`${septet.url}/api/v1/sessions/${id}`, { method: 'DELETE', headers })
      await page.getByRole('link', { name: 'Account' }).click()
      await page.waitForURL((url) => url.pathname === '/auth')
      await page.getByText('You were signed out: the session is over or was ended elsewhere.').waitFor()
      await passThrough(page)
      expect(pathOf(page)).toMatch(/^\/dashboard\/settings\//u)
    })
  })

  test('the demo needs nobody: it says what it is and where to sign in', async () => {
    await visit({ path: '/demo' }, async (page) => {
      await page.getByRole('heading', { name: 'GPU Optimization Summary' }).waitFor()
      await page.getByText('Live demo, read only').locator('visible=true').waitFor()
      expect(await page.getByRole('link', { name: 'Sign in' }).first().getAttribute('href')).toBe('/auth')
      await page
        .getByText(/^\d+ running/u)
        .first()
        .waitFor({ timeout: 60_000 })
      expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    })
  })
})

describe('settings', () => {
  const signedIn = (path: string, look: (page: Page) => Promise<void>) =>
    visit({ path: `/auth?next=${encodeURIComponent(path)}` }, async (page) => {
      await passThrough(page)
      await look(page)
    })

  test('an API token is shown once, works, and is revoked', async () => {
    await signedIn('/dashboard/settings/tokens', async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('scraper')
      await page.getByRole('button', { name: 'Make the token' }).click()
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
      await page.getByText('node is signed out.').waitFor()
      expect((await fetch(`${septet.url}/api/v1/me`, { headers })).status).toBe(401)
    })
  })
})

describe.each(['light', 'dark'] as const)('everyone can use it, %s', (colorScheme) => {
  describe.each([360, 1280])('%d pixels wide', (width) => {
    const viewport = { width, height: 800 }

    const holds = async (page: Page): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    }

    test('the door, with its toasts', async () => {
      await visit({ colorScheme, viewport, reducedMotion: 'reduce' }, async (page) => {
        await page.getByRole('link', { name: 'Live demo, no account needed' }).waitFor()
        await holds(page)
        await toSignUp(page)
        await send(page, { email: 'stranger@example.com', password: OWNER.password }, 'Sign Up')
        await toast(page, 'Access Restricted', 'Sign up is restricted to authorized users only')
        await holds(page)
        await page.getByRole('button', { name: 'Already have an account? Sign in' }).click()
        await page.getByRole('button', { name: 'Forgot password?' }).click()
        await page.getByRole('heading', { name: 'Forgot password?' }).waitFor()
        await holds(page)
      })
    })

    test('every page of the settings', async () => {
      await visit(
        { colorScheme, viewport, reducedMotion: 'reduce', path: '/auth?next=/dashboard/settings/account' },
        async (page) => {
          await passThrough(page)
          for (const name of ['Account', 'Members', 'API tokens', 'Audit log', 'Outbox']) {
            await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
            await page.getByRole('heading', { name, level: 1 }).waitFor()
            await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
            await holds(page)
          }
        },
      )
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
