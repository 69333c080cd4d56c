import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

import { childEnvironment } from '../child-environment.ts'
import { signIn } from '../server-process.ts'
import { openBrowser, septetWithoutDemo, type SharedSeptet } from '../shared/shared.ts'

export const PERSON = { email: 'terminal@example.com', password: 'a long enough password' }
export const MAIN = resolve(import.meta.dirname, '../../apps/cli/src/main.ts')
export const MACHINE = hostname().replaceAll(/[^\w.-]/gu, '-')

export let septet: SharedSeptet
let browser: Browser
let context: BrowserContext
export let page: Page
export let folder: string

/** Opens what the tests of a file look at, and closes it after them. */
export function openBeforeTests(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'septet-login-'))
    ;[septet, browser] = await Promise.all([septetWithoutDemo(), openBrowser()])
    await signIn(septet, PERSON)
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    page = await context.newPage()
    page.setDefaultTimeout(60_000)
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
}

/** The program as a person starts it; `opened` is the page that it opened in their browser. */
export function septetLogin(...words: readonly string[]) {
  const opened = join(folder, `opened-${Math.random()}`)
  const opener = join(folder, 'browser.sh')
  writeFileSync(opener, '#!/bin/sh\nprintf %s "$1" > "$SEPTET_TEST_OPENED"\n')
  chmodSync(opener, 0o755)
  const child = spawn(process.execPath, [MAIN, 'login', '--server', septet.url, ...words], {
    env: { ...childEnvironment(), XDG_CONFIG_HOME: folder, BROWSER: opener, SEPTET_TEST_OPENED: opened },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const code = new Promise<number | null>((done) => child.once('close', done))
  return {
    code,
    printed: () => printed,
    stop: () => child.kill('SIGKILL'),
    says: async (pattern: RegExp): Promise<string> => {
      await expect.poll(() => printed, { timeout: 60_000 }).toMatch(pattern)
      return pattern.exec(printed)?.[1] ?? ''
    },
    opened: async (): Promise<string> => {
      await expect.poll(() => readFileSync(opened, 'utf8'), { timeout: 60_000 }).toContain('http')
      return readFileSync(opened, 'utf8')
    },
  }
}

export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const kept = (): string => {
  const file = join(folder, 'septet/servers.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { servers }: { servers: Record<string, { token: string }> } = JSON.parse(readFileSync(file, 'utf8'))
  return servers[septet.url]?.token ?? ''
}
export const me = async (token: string) => {
  const answer = await fetch(`${septet.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return [answer.status, await answer.json()]
}
