/** A text in lines of at most so many characters, broken between words; further lines are set in. */
export function foldText(text: string, width: number, indent = 0): string[] {
  if (text.length <= width) return [text]
  const lines: string[] = []
  let line = ''
  // What stands before the first word stays: a title has been set to its width already.
  for (const word of text.split(/(?<=\S) (?=\S)/u)) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = `${' '.repeat(indent)}${word}`
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
