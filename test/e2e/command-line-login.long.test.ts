import { beforeAll, expect, test } from 'vitest'

import { signInByForm } from './dashboard/dashboard-page.ts'
import { PERSON, MACHINE, button, kept, me, openBeforeTests, page, septet, septetLogin } from './terminal-login.ts'

openBeforeTests()
beforeAll(() => signInByForm(page, septet.url, { next: '/', account: PERSON }))

test('by a code that is typed on any machine, which a link cannot bring', async () => {
  const terminal = septetLogin('--no-browser')
  try {
    const code = await terminal.says(/code:\s+([A-Z]{4}-[A-Z]{4})/u)
    await page.goto(`${septet.url}/dashboard/login?code=${code}`)
    const field = page.getByLabel('Code', { exact: true })
    await field.waitFor()
    expect(await button('Allow').count()).toBe(0)
    await field.fill('BBBB-BBBB')
    await button('Continue').click()
    await page.getByText('No command line is waiting under this code').waitFor()
    await field.fill(code.toLowerCase().replace('-', ' '))
    await button('Continue').click()
    await button('Allow').click()
    await page.getByText(`${MACHINE} can now use Septet as you.`).waitFor()
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
  expect(await me(kept())).toMatchObject([200, { kind: 'token', role: 'viewer' }])
})

test('who is denied is told so in the terminal, and keeps nothing new', async () => {
  const before = kept()
  const terminal = septetLogin()
  try {
    await page.goto(await terminal.opened())
    await button('Deny').click()
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    expect(await terminal.code).toBe(3)
  } finally {
    terminal.stop()
  }
  expect(terminal.printed()).toContain('The request was denied in the browser.')
  expect(kept()).toBe(before)
})
