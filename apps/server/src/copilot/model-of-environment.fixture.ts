import { createHash } from 'node:crypto'

import type { Engine } from '@septet/copilot'
import type { SettingStore } from '@septet/domain'

import { readConfig } from '../config.ts'
import { ADMIN } from '../operations/answering/admin-caller.fixture.ts'
import { copilotModel } from './copilot-model.ts'

/** The language model that an environment names, as a server has it but for its budgets of a day; undefined: none. */
export function modelOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  settings: SettingStore,
): { readonly name: string; readonly engine: Engine } | undefined {
  const { copilot } = readConfig(environment, process.cwd())
  if (copilot === undefined) return undefined
  const tokens = { ...copilot.tokens, person: Infinity, day: Infinity }
  const engine = copilotModel({ ...copilot, tokens }, { settings, now: Date.now, secrets: { keyedHash } })?.engineFor(
    ADMIN,
  )
  return engine === undefined ? undefined : { name: copilot.model, engine }
}

const keyedHash = (purpose: string, text: string): string =>
  createHash('sha256').update(`${purpose}:${text}`).digest('hex')
