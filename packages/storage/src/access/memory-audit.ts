import { compareText, type AuditEntry, type AuditStore, type MailStore } from '@septet/domain'

import { storableText } from '../usage/storable.ts'
import { mailRow, toMail, type MailRow } from './account-rows.ts'
import { nextEntry } from './member-rows.ts'
import { MemoryTable } from './memory-table.ts'
import { dateOf } from './row-values.ts'

const ENTRIES_AT_ONCE = 500

/** The twin of `postgresAudit`, in memory. */
export function memoryAudit(): AuditStore {
  const entries: AuditEntry[] = []
  return {
    append: async (fact, seal) => {
      const entry = nextEntry(fact, entries.at(-1), seal)
      entries.push(entry)
      return structuredClone(entry)
    },
    list: async ({ before = Infinity, limit, actor, action }) => {
      const fits = (entry: AuditEntry) =>
        entry.seq < before &&
        (actor === undefined || entry.actor === storableText(actor)) &&
        (action === undefined || entry.action === storableText(action))
      return structuredClone(entries.filter(fits).toReversed().slice(0, limit))
    },
    all: async function* () {
      for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
        yield structuredClone(entries.slice(start, start + ENTRIES_AT_ONCE))
      }
    },
  }
}

/** The twin of `postgresMails`, in memory. */
export function memoryMails(): MailStore {
  const mails = new MemoryTable<MailRow>((row) => row.id)
  return {
    add: async (mail) => mails.insert(mailRow(mail)),
    list: async (limit) =>
      mails
        .where(() => true)
        .toSorted((a, b) => b.at.getTime() - a.at.getTime() || compareText(a.id, b.id))
        .slice(0, limit)
        .map(toMail),
    prune: async (before) => {
      const end = dateOf(before)
      return mails.removeWhere((row) => row.at < end)
    },
  }
}
