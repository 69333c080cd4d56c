import type { ChildProcess } from 'node:child_process'

/** The end of a child process: its exit code (undefined when a signal ended it) and the last of what it wrote. */
export type Ending = {
  readonly code: number | undefined
  readonly signal: string | undefined
  readonly output: string
}

const KEEP_LINES = 40

/** Collects the newest lines that a child writes. */
export function keepOutput(child: ChildProcess): () => string {
  let lines: string[] = []
  const add = (chunk: unknown) => {
    lines = [...lines, ...String(chunk).split('\n')].filter((line) => line.trim() !== '').slice(-KEEP_LINES)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => lines.join('\n')
}

/** Resolves when the child has ended, also when it could not be started at all. */
export function runToEnd(child: ChildProcess): Promise<Ending> {
  const output = keepOutput(child)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: undefined, signal: undefined, output: error.message }))
    child.once('close', (code, signal) =>
      resolve({ code: code ?? undefined, signal: signal ?? undefined, output: output() }),
    )
  })
}
