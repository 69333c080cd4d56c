type Said = { readonly down: boolean; readonly room: number }

/**
 * A node's name in so many characters, and whether it is down: in words where all fits, else as a mark. The end of a name
 * tells it from its neighbours, so it is the beginning that is left out.
 */
export function nodeLabel(name: string, { down, room }: Said): string {
  const long = `${name}${NOT_READY}`
  if (!down) return shortened(name, room)
  return long.length <= room ? long : `${shortened(name, room - MARK.length)}${MARK}`
}

const NOT_READY = ' · not ready'
const MARK = ' ✕'

const shortened = (name: string, room: number): string =>
  name.length <= room ? name : `…${name.slice(name.length - room + 1)}`
