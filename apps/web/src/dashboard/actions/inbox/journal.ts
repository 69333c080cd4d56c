import type { ActionDetail } from '../../acting/action-words.ts'

type Write = ActionDetail['writes'][number]

/** One write, and the numbers of the tries before it in a row; its outcome is the last one's. */
export type JournalLine = { readonly write: Write; readonly before: readonly number[] }

/** The writes first to last, the same one in a row as one line. */
export function journalOf(writes: readonly Write[]): readonly JournalLine[] {
  const lines: JournalLine[] = []
  for (const write of writes) {
    const last = lines.at(-1)
    const isAgain = last !== undefined && isSame(last.write, write) && last.write.outcome?.kind !== 'done'
    if (isAgain) lines[lines.length - 1] = { write, before: [...last.before, last.write.number] }
    else lines.push({ write, before: [] })
  }
  return lines
}

const isSame = (a: Write, b: Write): boolean => a.step === b.step && a.isUndo === b.isUndo && a.what === b.what
