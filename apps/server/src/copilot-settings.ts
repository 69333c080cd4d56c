import { resolve } from 'node:path'

import type { Text } from './settings.ts'

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

/** Undefined where none is set up: only fixed questions are answered. */
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

/** A sentence for everything in them that is wrong. */
export function wrongCopilotSettings(text: Text): string[] {
  if (text('SEPTET_COPILOT_KEY') !== '' && text('SEPTET_COPILOT_KEY_FILE') !== '')
    return ['SEPTET_COPILOT_KEY and SEPTET_COPILOT_KEY_FILE are both set: keep one of them.']
  return []
}
