/** A plain CSV file (no quoted cells) as rows that are asked for by column. Problems are collected, not thrown. */
export type CsvTable = { readonly rows: readonly CsvRow[]; readonly problems: string[] }

export type CsvRow = {
  /** Line of the file, counted from 1. */
  readonly line: number
  text(column: string): string
  /** A whole number within the limits; a problem is noted, and `least` answered, where it is none. */
  whole(column: string, limits: { readonly least: number; readonly most: number }): number
}

/** Splits the text; an empty file, absent columns and rows of another length are problems that name file and line. */
export function readCsv(text: string, file: string, columns: readonly string[]): CsvTable {
  const problems: string[] = []
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u)
  const header = lines[0]?.split(',') ?? []
  if (text.trim() === '') return { rows: [], problems: [`${file} is empty.`] }
  const absent = absentColumns(header, columns)
  if (absent !== undefined) return { rows: [], problems: [`${file}, line 1: ${absent}`] }
  const places = new Map(header.map((column, place) => [column, place]))
  const rows = lines.flatMap((content, index) => {
    if (index === 0 || content.trim() === '') return []
    const cells = content.split(',')
    if (cells.length === header.length) return [csvRow({ file, line: index + 1, cells, places, problems })]
    problems.push(`${file}, line ${index + 1}: ${cells.length} cells, where the header has ${header.length}.`)
    return []
  })
  if (rows.length === 0 && problems.length === 0) problems.push(`${file} has a header and no rows.`)
  return { rows, problems }
}

function absentColumns(header: readonly string[], columns: readonly string[]): string | undefined {
  const absent = columns.filter((column) => !header.includes(column)).map((column) => `"${column}"`)
  return absent.length === 0 ? undefined : `no column ${absent.join(', ')}. It has: ${header.join(', ')}.`
}

type RowParts = {
  readonly file: string
  readonly line: number
  readonly cells: readonly string[]
  readonly places: ReadonlyMap<string, number>
  readonly problems: string[]
}

function csvRow({ file, line, cells, places, problems }: RowParts): CsvRow {
  const text = (column: string): string => cells[places.get(column) ?? -1]?.trim() ?? ''
  return {
    line,
    text,
    whole: (column, { least, most }) => {
      const cell = text(column)
      const value = cell === '' ? Number.NaN : Number(cell)
      if (Number.isInteger(value) && value >= least && value <= most) return value
      const is = cell === '' ? 'is empty' : `is "${cell}"`
      problems.push(`${file}, line ${line}: ${column} ${is}; it must be a whole number from ${least} to ${most}.`)
      return least
    },
  }
}
