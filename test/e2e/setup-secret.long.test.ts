import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { removeDataDir, startSeptet, type SeptetProcess } from '../server-process.ts'
import { openBrowser } from '../shared/shared.ts'
import { windowsOf, type Windows } from '../windows.ts'

const SECRET = 'a setup secret of the tests'
const PASSWORD = 'a long enough password'

let browser: Browser
let open: Windows
let septet: SeptetProcess

beforeAll(async () => {
  ;[browser, septet] = await Promise.all([
    openBrowser(),
    startSeptet({
      environment: {
        SEPTET_DEMO: 'off',
        SEPTET_AUTHORIZED_EMAIL: 'ops@example.com,ann@example.com',
        SEPTET_SETUP_SECRET: SECRET,
      },
    }),
  ])
  open = windowsOf(browser)
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

/** Signs up by the form, and gives what is said to that. */
async function signUp(email: string, secret: string): Promise<string> {
  const page = await open({})
  await page.goto(`${septet.url}/auth?mode=sign-up`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Setup secret', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  const said = await page.getByTestId('said').innerText()
  await page.close()
  return said
}

test('before the admin has an account, others sign up without the setup secret, and the admin only with it', async () => {
  expect(await signUp('ann@example.com', '')).toContain('Account created successfully')
  expect(await signUp('ops@example.com', '')).toContain('needs the setup secret')
  expect(await signUp('ops@example.com', 'another secret of the tests')).toContain('needs the setup secret')
  expect(await signUp('ops@example.com', SECRET)).toContain('Account created successfully')
})
