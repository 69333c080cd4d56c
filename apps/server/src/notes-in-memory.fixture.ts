import type { Note, NoteStore } from '@septet/domain'

/** Notes that last as long as a test. */
export function notesInMemory(): NoteStore {
  const kept = new Map<string, Note>()
  const newest = (kind: string): Note[] =>
    [...kept.values()].filter((note) => note.kind === kind).toSorted((a, b) => b.at - a.at)
  return {
    add: async (note) => {
      const before = kept.get(keyOf(note))
      if (before !== undefined && before.until > note.at) return false
      kept.set(keyOf(note), note)
      return true
    },
    renew: async (change) => {
      const before = kept.get(keyOf(change))
      if (before !== undefined) kept.set(keyOf(change), { ...before, ...change })
      return before !== undefined
    },
    get: async (kind, id) => kept.get(keyOf({ kind, id })),
    newest: async (kind, limit) => newest(kind).slice(0, limit),
    addUpTo: async (most, note) => {
      const theirs = newest(note.kind).filter(({ owner, until }) => owner === note.owner && until > note.at)
      if (theirs.length >= most) return theirs.map(({ until }) => until).toSorted((a, b) => a - b)[0]
      kept.set(keyOf(note), note)
      return undefined
    },
    remove: async (kind, id) => void kept.delete(keyOf({ kind, id })),
    trim: async (kind, most) => {
      for (const note of newest(kind).slice(most)) kept.delete(keyOf(note))
    },
    prune: async (before) => {
      for (const note of kept.values()) if (note.until < before) kept.delete(keyOf(note))
    },
  }
}

const keyOf = ({ kind, id }: Pick<Note, 'kind' | 'id'>): string => JSON.stringify([kind, id])
