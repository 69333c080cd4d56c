import { resolve } from 'node:path'

import { z } from 'zod'

import { withoutPassword, type SettingName, type Text } from './settings.ts'

/** The language model behind the co-pilot, and what it may use. */
export type CopilotConfig = {
  /** Base address of an OpenAI-compatible API, with its version: `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  /** Undefined: it needs none. A file is read at each question, so that a new key needs no restart. */
  readonly key: { readonly text: string } | { readonly file: string } | undefined
  /** Whether names of clusters, namespaces, nodes and pods are hidden from it. */
  readonly mask: boolean
  /** Times that it may call tools before it must answer. */
  readonly steps: number
  readonly seconds: number
  /** Tokens, in and out: of one answer, of one person a day, of everybody a day. */
  readonly tokens: { readonly answer: number; readonly person: number; readonly day: number }
}

/** Undefined where none is set up: rules answer. */
export function copilotOf(text: Text, workingDir: string): CopilotConfig | undefined {
  const url = text('SEPTET_COPILOT_URL')
  if (url === '') return undefined
  return {
    url: url.replace(/\/+$/u, ''),
    model: text('SEPTET_COPILOT_MODEL'),
    key: keyOf(text, workingDir),
    mask: text('SEPTET_COPILOT_MASK') === 'on',
    steps: Number(text('SEPTET_COPILOT_STEPS')),
    seconds: Number(text('SEPTET_COPILOT_SECONDS')),
    tokens: {
      answer: Number(text('SEPTET_COPILOT_ANSWER_TOKENS')),
      person: Number(text('SEPTET_COPILOT_PERSON_TOKENS')),
      day: Number(text('SEPTET_COPILOT_DAY_TOKENS')),
    },
  }
}

function keyOf(text: Text, workingDir: string): CopilotConfig['key'] {
  const file = text('SEPTET_COPILOT_KEY_FILE')
  if (file !== '') return { file: resolve(workingDir, file) }
  const key = text('SEPTET_COPILOT_KEY')
  return key === '' ? undefined : { text: key }
}

const count = (most: number) => z.coerce.number().int().min(1).max(most)
const CHECKS = [
  ['SEPTET_COPILOT_URL', z.union([z.literal(''), z.url({ protocol: /^https?$/u })]), 'an http:// or https:// URL'],
  ['SEPTET_COPILOT_MASK', z.enum(['on', 'off']), 'on or off'],
  ['SEPTET_COPILOT_STEPS', count(20), 'a whole number from 1 to 20'],
  ['SEPTET_COPILOT_SECONDS', count(600), 'a whole number of seconds from 1 to 600'],
  ['SEPTET_COPILOT_ANSWER_TOKENS', count(1e9), 'a whole number of tokens'],
  ['SEPTET_COPILOT_PERSON_TOKENS', count(1e9), 'a whole number of tokens'],
  ['SEPTET_COPILOT_DAY_TOKENS', count(1e9), 'a whole number of tokens'],
] as const satisfies readonly (readonly [SettingName, z.ZodType, string])[]

/** A sentence for everything in them that is wrong. */
export function wrongCopilotSettings(text: Text): string[] {
  const wrong = CHECKS.filter(([name, schema]) => !schema.safeParse(text(name)).success).map(
    ([name, , expected]) => `${name} is "${withoutPassword(text(name))}" but must be ${expected}.`,
  )
  if (text('SEPTET_COPILOT_URL') !== '' && text('SEPTET_COPILOT_MODEL') === '')
    wrong.push('SEPTET_COPILOT_URL is set without SEPTET_COPILOT_MODEL: name the model to ask there.')
  if (text('SEPTET_COPILOT_KEY') !== '' && text('SEPTET_COPILOT_KEY_FILE') !== '')
    wrong.push('SEPTET_COPILOT_KEY and SEPTET_COPILOT_KEY_FILE are both set: keep one of them.')
  return wrong
}
