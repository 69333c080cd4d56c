import { spawn } from 'node:child_process'

import type { Environment } from '../served/kept-servers.ts'

/**
 * How a page is opened in a browser on this machine, in front of whoever sits here; undefined where no browser would be
 * seen: over SSH, and on Linux without a display. `BROWSER` names one.
 */
export function browserOpener(
  environment: Environment,
  platform: NodeJS.Platform,
): ((page: string) => void) | undefined {
  const command = commandOf(environment, platform)
  if (command === undefined) return undefined
  const [program, ...words] = command
  return (page) => {
    const child = spawn(program, [...words, page], { stdio: 'ignore', detached: true })
    // The address stands on the terminal, too.
    child.on('error', () => undefined)
    child.unref()
  }
}

type Command = readonly [program: string, ...words: string[]]

function commandOf(environment: Environment, platform: NodeJS.Platform): Command | undefined {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== ''
  const { BROWSER: named } = environment
  if (named !== undefined && named !== '') return [named]
  if (isSet('SSH_CONNECTION')) return undefined
  if (platform === 'darwin') return ['open']
  // Not `start`, which is a word of a shell that would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? ['xdg-open'] : undefined
}
