/**
 * A backup is a gzip stream: one line of JSON that says what follows, then for each table its rows in PostgreSQL's text
 * format for COPY, cut into frames. A frame is its length in bytes on a line, then so many bytes; one of length 0 ends the
 * table. The line after them repeats the head, so a file that was cut off is known as one; the last one is the HMAC-SHA-256
 * of all before it, as hex, where the head says that it is signed.
 */
export type BackupHead = {
  readonly kind: 'septet-backup'
  readonly format: 1
  /** Left out by Septets that did not sign. */
  readonly signed?: boolean
  /** Date of the newest migration in it, as the journal of migrations has it. */
  readonly migration: number
  readonly tables: readonly BackupTable[]
}

export type BackupTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Partitions that its rows are in, with the bounds as PostgreSQL writes them. */
  readonly partitions: readonly { readonly name: string; readonly bound: string }[]
}

export function isBackupHead(value: unknown): value is BackupHead {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'septet-backup' &&
    'format' in value &&
    value.format === 1
  )
}

/** A name as SQL may take it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const columnsOf = ({ columns }: BackupTable): string => columns.map(quotedName).join(', ')
