import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** The folder of the tools that are too heavy for everybody's install, with what its own lock file says in it. */
export async function installTools(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/tools.mjs')])
  return join(root, 'tools')
}

/** A module among them, by its file. Its types are not installed, so that whoever asks says what it is. */
export const importTool = async (tools: string, file: string): Promise<unknown> =>
  import(pathToFileURL(join(tools, 'node_modules', file)).href)
