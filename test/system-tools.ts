import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/**
 * Where a program that only the operating system can give is, or undefined when it is not installed: then skip what
 * needs it, and say so with `missingTool`. With CI=true a missing program is a failure, because nobody reads skips there.
 */
export function systemTool(name: string, debianPackage: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/usr/sbin']
  const found = folders.map((folder) => path.join(folder, name)).find(isExecutable)
  if (found === undefined && process.env['CI'] === 'true') throw new Error(missingTool(name, debianPackage))
  return found
}

/** The sentence for a test that is not run. */
export const missingTool = (name: string, debianPackage: string): string =>
  `not run: ${name} is not installed (apt-get install ${debianPackage})`

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
