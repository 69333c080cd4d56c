import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

import { childEnvironment } from './child-environment.ts'

/** A `septet agent` as it runs in a cluster. */
export type AgentProcess = {
  /** What it has said so far. */
  said(): string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const entry = resolve(import.meta.dirname, '../apps/cli/src/septet.mjs')

export function startAgent(words: readonly string[], token: string): AgentProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, 'agent', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...childEnvironment(), SEPTET_AGENT_TOKEN: token },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  return {
    said: () => said,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
