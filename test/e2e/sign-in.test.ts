import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

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

  test('a wrong password is answered in the words of the server', async () => {
    await visit({}, async (page) => {
      await send(page, { email: OWNER.email, password: 'not that one, another' }, 'Sign In')
      expect(await toasted(page, 'Error', 'Invalid login credentials')).toBe(true)
      await page.getByTestId('said').waitFor()
    })
  })
})

describe('the form', () => {
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
})

describe('going in and out', () => {
  test.each(['/dashboard?cluster=sample&range=7d'])(
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

  test.each(['//evil.example/'])('the sign-in page leads nowhere else: %s', async (next) => {
    await visit({ path: `/auth?next=${encodeURIComponent(next)}` }, async (page) => {
      await passThrough(page)
      expect(page.url()).toBe(`${septet.url}/`)
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
      await expect.poll(() => pathOf(page)).toBe('/auth')
    })
  })
})

describe('a link never signs anybody in by itself', () => {
  const TOKENS = 'expires_in=3600&token_type=bearer&type=magiclink'

  test.each(['/auth'])('tokens in the fragment of %s leave the session as it is', async (path) => {
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
})

test('everyone can use the sign-in page, with its toasts, on a phone in the dark', async () => {
  await visit({ colorScheme: 'dark', viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' }, async (page) => {
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

describe('a forgotten password', () => {
  const next = { ...OWNER, password: 'an even longer new password' }

  test('is replaced by way of the link in the letter, which works once', async () => {
    const headers = await signIn(septet, OWNER)
    let link = ''
    await visit({}, async (page) => {
      await askForLetter(page)
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
})
