import type { Piece } from './line.ts'
import { nameCondition } from './name-condition.ts'
import type { Names } from './names.ts'
import { matchAt, type Read, WORD } from './reader.ts'
import { READERS } from './readers.ts'
import { meantBy } from './spelling.ts'
import type { Clock } from './times.ts'
import { readWhy } from './why.ts'

const GAP = /(?:[\s,;?!()"“”]|[.:](?=\s|$))+/uy

/** Reads a line piece by piece; what no reader knows and nothing of the cluster is called is marked as not understood. */
export async function readLine(line: string, names: Names, clock: Clock): Promise<readonly Piece[]> {
  const why = await readWhy(line, names)
  if (why !== undefined) return [why]
  const pieces: Piece[] = []
  let at = 0
  while (at < line.length) {
    at += matchAt(GAP, line, at)?.[0].length ?? 0
    if (at >= line.length) break
    // oxlint-disable-next-line no-await-in-loop -- each piece begins where the one before it ends
    const { length, choices = [], ...rest } = await readAt(line, at, { names, clock })
    if (rest.says !== '') pieces.push({ from: at, to: at + length, choices, ...rest })
    at += length
  }
  return Promise.all(
    pieces.map(async (piece) => (piece.meaning.kind === 'unknown' ? suggested(line, piece, names) : piece)),
  )
}

type Around = { readonly names: Names; readonly clock: Clock }

async function readAt(line: string, at: number, { names, clock }: Around): Promise<Read> {
  const named = await nameCondition(line, at, names)
  if (named !== undefined) return named
  for (const reader of READERS) {
    const read = reader(line, at, clock)
    if (read !== undefined) return read
  }
  const text = matchAt(WORD, line, at)?.[0] ?? line.slice(at, at + 1)
  return { length: text.length, meaning: { kind: 'unknown' }, says: text, problem: `“${text}” is not understood.` }
}

const MOST_CHOICES = 4

/** What may stand in its place: a word that is written nearly so, or a name. */
async function suggested(line: string, piece: Piece, names: Names): Promise<Piece> {
  const text = line.slice(piece.from, piece.to)
  const like = text.length < 2 ? [] : await names.like(text, MOST_CHOICES)
  return { ...piece, choices: [...meantBy(text), ...like.map(({ name }) => name)].slice(0, MOST_CHOICES) }
}
