import { execFileSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { signIn } from '../server-process.ts'
import {
  MACHINE,
  MAIN,
  PERSON,
  button,
  folder,
  kept,
  me,
  openBeforeTests,
  page,
  septet,
  septetLogin,
} from './terminal-login.ts'

openBeforeTests()

test('by the browser here: signed in on the way, allowed, and back in the terminal with a token that can be revoked', async () => {
  const terminal = septetLogin('--role', 'viewer')
  try {
    const code = await terminal.says(/code is ([A-Z]{4}-[A-Z]{4})/u)
    await page.goto(await terminal.opened())
    // Nobody is signed in in this browser yet; the page asked for comes after the sign-in.
    await page.getByLabel('Email').fill(PERSON.email)
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
    await button('Sign In').click()
    await page.getByRole('heading', { name: `Let ${MACHINE} use Septet as you?` }).waitFor()
    await page.getByText(code, { exact: true }).waitFor()
    await page.getByText('127.0.0.1').waitFor()
    await button('Allow').click()
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()
    // Neither the code nor what it was worth stays in the address.
    await expect.poll(() => page.url()).toBe(`${septet.url}/dashboard/login?ended=done`)
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
  expect(terminal.printed()).toContain(`Signed in to ${septet.url} as token:cli-`)
  const token = kept()
  expect(terminal.printed()).not.toContain(token)
  expect(await me(token)).toMatchObject([200, { kind: 'token', role: 'viewer' }])

  await page.goto(`${septet.url}/dashboard/settings/tokens`)
  await page.getByRole('button', { name: /^Revoke cli-/u }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(/^Revoked cli-/u).waitFor()
  expect((await me(token))[0]).toBe(401)
})

test('what comes to the terminal from elsewhere is not taken for the browser', async () => {
  const terminal = septetLogin()
  try {
    const address = new URL(await terminal.opened())
    const code = address.searchParams.get('code') ?? ''
    const as = await signIn(septet, PERSON)
    const answer = await fetch(`${septet.url}/api/v1/logins/${code}/approval`, {
      method: 'PUT',
      headers: { ...as, 'content-type': 'application/json' },
      body: '{}',
    })
    const { returnTo } = (await answer.json()) as { returnTo: string }
    const forged = new URL(returnTo)
    forged.searchParams.set('state', 'x'.repeat(32))
    expect((await fetch(forged, { redirect: 'manual' })).status).toBe(400)
    expect((await fetch(new URL('/', returnTo), { redirect: 'manual' })).status).toBe(400)
    expect((await fetch(returnTo, { redirect: 'manual' })).status).toBe(303)
    expect(await terminal.code).toBe(0)
  } finally {
    terminal.stop()
  }
})

test('septet logout revokes the token that this machine was given', async () => {
  const token = kept()
  expect((await me(token))[0]).toBe(200)
  const printed = execFileSync(process.execPath, [MAIN, 'logout'], {
    env: { ...childEnvironment(), XDG_CONFIG_HOME: folder },
    encoding: 'utf8',
  })
  expect(printed).toBe(`Signed out of ${septet.url}. Its token is revoked.\n`)
  expect((await me(token))[0]).toBe(401)
  expect(kept()).toBe('')
})
