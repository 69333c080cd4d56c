import { percent } from '@septet/domain/words'

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown }

export type ProgressLine = { step(done: number, of: number, what: string): void; end(): void }

const WIDTH = 24

/** A bar on a terminal for reads that take long; nothing at all in a pipe. */
export function openProgress(terminal: Terminal): ProgressLine {
  if (terminal.isTTY !== true) return { step: () => undefined, end: () => undefined }
  return {
    step: (done, of, what) => {
      const share = of > 0 ? Math.min(1, done / of) : 0
      const full = Math.round(share * WIDTH)
      terminal.write(`\r\u001B[2K${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${percent(share, 0)}  ${what}`)
    },
    end: () => terminal.write('\r\u001B[2K'),
  }
}
