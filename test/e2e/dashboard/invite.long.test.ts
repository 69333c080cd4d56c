import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { axeFindings } from '../../page-flaws.ts'
import { removeDataDir, signIn, startSeptet, type SeptetProcess } from '../../server-process.ts'
import { openBrowser } from '../../shared/shared.ts'
import { windowsOf, type Windows } from '../../windows.ts'

const OWNER = { email: 'ops@example.com', password: 'a long enough password' }

let browser: Browser
let open: Windows
let alone: SeptetProcess
let team: SeptetProcess

const start = (authorized: string) =>
  startSeptet({ environment: { SEPTET_DEMO: 'off', SEPTET_AUTHORIZED_EMAIL: authorized } })

beforeAll(async () => {
  ;[browser, alone, team] = await Promise.all([
    openBrowser(),
    start(OWNER.email),
    start(`${OWNER.email},*@example.com`),
  ])
  open = windowsOf(browser)
})
afterAll(async () => {
  await browser?.close()
  for (const septet of [alone, team]) {
    await septet?.stop()
    await removeDataDir(septet.dataDir)
  }
})

/** The members screen of a Septet, as its owner sees it. */
async function members(septet: SeptetProcess) {
  await signIn(septet, OWNER)
  const page = await open({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${septet.url}/auth?next=/dashboard/settings/members`)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Invite' })
  await panel.waitFor()
  return { page, panel }
}

test('where the setting lets in nobody else, that is said before anything is typed', async () => {
  const { page, panel } = await members(alone)
  await panel.getByText(`SEPTET_AUTHORIZED_EMAIL allows only ${OWNER.email}.`).waitFor()
  expect(await panel.getByRole('textbox').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await page.close()
})

test('an admin invites somebody, whose link leads to a password of their own and in', async () => {
  const { page, panel } = await members(team)
  await panel.getByText('SEPTET_SMTP_URL is not set').waitFor()
  await panel.getByText('SEPTET_PUBLIC_URL is not set').waitFor()
  await panel.getByLabel('Email').fill('stranger@elsewhere.example')
  await panel.getByRole('button', { name: 'Invite' }).click()
  await panel
    .getByText('SEPTET_AUTHORIZED_EMAIL does not allow stranger@elsewhere.example.', { exact: false })
    .waitFor()
  await panel.getByLabel('Email').fill('ann@example.com')
  await panel.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('The invitation for ann@example.com is in the outbox.').first().waitFor()
  await page.getByRole('row').filter({ hasText: 'ann@example.com' }).waitFor()
  await panel.getByRole('link', { name: 'Outbox' }).click()
  await page.getByText('You are invited to Septet').click()
  const letter = await page.locator('pre').innerText()
  const [link = ''] = /^http\S+$/mu.exec(letter) ?? []
  await page.close()

  const ann = await open({ viewport: { width: 1280, height: 800 } })
  await ann.goto(link)
  await ann.getByRole('button', { name: 'Accept the invitation' }).click()
  await ann.getByLabel('New password').fill('kettle moss harbor violin')
  await ann.getByRole('button', { name: 'Set the password' }).click()
  await ann.getByRole('button', { name: 'Account: ann@example.com' }).waitFor()
  expect(new URL(ann.url()).pathname).toBe('/dashboard')
  await ann.close()
})
