import { text } from 'node:stream/consumers'

import { OPERATIONS } from '@septet/contract'
import type { Browser, Download, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { axeFindings } from '../../page-flaws.ts'
import { removeDataDir, signIn, startSeptet, type SeptetProcess } from '../../server-process.ts'
import { openBrowser, webFolder } from '../../shared/shared.ts'
import { signInByForm } from './dashboard-page.ts'

const OWNER = { email: 'ops@example.com', password: 'a long enough password' }
const ANN = { email: 'ann@example.com', password: 'another long password' }

let browser: Browser
let septet: SeptetProcess
let page: Page
let headers: { authorization: string }

beforeAll(async () => {
  await webFolder()
  const environment = { SEPTET_DEMO: 'off', SEPTET_AUTHORIZED_EMAIL: `${OWNER.email},*@example.com` }
  ;[browser, septet] = await Promise.all([openBrowser(), startSeptet({ environment })])
  headers = await signIn(septet, OWNER)
  await signIn(septet, ANN)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await signInByForm(page, septet.url, { next: '/dashboard/settings/members', account: OWNER })
})
afterAll(async () => {
  await browser?.close()
  await septet?.stop()
  await removeDataDir(septet.dataDir)
})

const panel = () => page.getByRole('region', { name: 'A person’s data' })
const email = () => panel().getByLabel('Email of the person')
const press = (name: string) => panel().getByRole('button', { name, exact: true }).click()

const contentOf = async (file: Download): Promise<string> => text(await file.createReadStream())

test('an admin keeps what is stored about a person as a file, and is told where there is nothing', async () => {
  await press('Export as JSON')
  await panel().getByText('Enter the email address first.').waitFor()
  await email().fill('nobody@example.com')
  await press('Export as JSON')
  await panel().getByText('Septet stores nothing about nobody@example.com.').waitFor()
  await email().fill(ANN.email)
  const [file] = await Promise.all([page.waitForEvent('download'), press('Export as JSON')])
  expect(file.suggestedFilename()).toBe('septet-ann@example.com.json')
  const kept = OPERATIONS.personExport.output.parse(JSON.parse(await contentOf(file)))
  expect(kept.email).toBe(ANN.email)
  expect(kept.data.find(({ kind }) => kind === 'account')?.rows).toHaveLength(1)
  // Said in the panel: a message in the corner would cover what may be pressed next.
  await panel().getByText(`Exported what is stored about ${ANN.email}.`).waitFor()
  await email().fill(OWNER.email)
  await panel().getByText(`Exported what is stored`).waitFor({ state: 'detached' })
})

test('an admin deletes it once the address was typed, after reading what goes and what stays', async () => {
  await email().fill(ANN.email)
  await press('Delete…')
  const asked = panel().getByRole('region', { name: 'Delete this person’s data' })
  await asked.getByText('An anonymous ID replaces the address').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await asked.getByLabel(`Type ${ANN.email} to confirm`).fill('ann@example.co')
  await asked.getByText('Type the address to confirm.').waitFor()
  expect(await asked.getByRole('button', { name: 'Delete', exact: true }).isEnabled()).toBe(false)
  await asked.getByLabel(`Type ${ANN.email} to confirm`).fill(ANN.email)
  await asked.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/Where history needs a name, it says person-[0-9a-f]{12}\./u).waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: ANN.email }).count()).toBe(0)
  const audit = await (await fetch(`${septet.url}/api/v1/audit`, { headers })).text()
  expect(audit).toContain('person.forgotten')
  expect(audit).not.toContain(ANN.email)
})

test('one’s own data is not deleted, in words that say what to do', async () => {
  await email().fill(OWNER.email)
  await press('Delete…')
  await panel().getByLabel(`Type ${OWNER.email} to confirm`).fill(OWNER.email)
  await panel().getByRole('button', { name: 'Delete', exact: true }).click()
  await panel().getByText('You cannot delete your own data while you use it.').waitFor()
  expect(await page.getByRole('row').filter({ hasText: OWNER.email }).count()).toBe(1)
})

test('what is stored about a tenant is kept as a file, and what deletes it is said', async () => {
  const put = await fetch(`${septet.url}/api/v1/tenants`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ tenants: [{ name: 'vision', namespaces: ['vision-*'] }] }),
  })
  expect(put.status).toBe(200)
  await page.goto(`${septet.url}/dashboard/settings/tenants`)
  const tenant = page.getByRole('region', { name: 'A tenant’s data' })
  await tenant.getByText('Usage is deleted only by').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    tenant.getByRole('button', { name: 'Export as JSON' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('septet-tenant-vision.json')
  const kept = OPERATIONS.tenantsExport.output.parse(JSON.parse(await contentOf(file)))
  expect(kept).toMatchObject({ tenant: 'vision', rule: { namespaces: ['vision-*'] }, clusters: [] })
})
