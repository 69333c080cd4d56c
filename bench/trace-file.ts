import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Traces and lists that others published; a folder each. */
const SHARED = join(import.meta.dirname, '../../shared/traces')

/** A file of a published set, from the folder that `--input` names or else from where they are shared. */
type TraceFile = { readonly set: string; readonly name: string; readonly input?: string | undefined }

const pathOf = ({ set, name, input }: TraceFile): string => join(input ?? join(SHARED, set), name)

export const hasTrace = (file: TraceFile): boolean => existsSync(pathOf(file))

/** The text of such a file, unpacked where it ends in `.gz`. Throws what is missing, and where to put it. */
export function readTrace(file: TraceFile): string {
  const path = pathOf(file)
  if (!existsSync(path))
    throw new Error(`${path} is missing: put it there, or name the folder that has it with --input.`)
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
