/** Where facts about the running of Septet go. `error` means that someone must get up. */
export type Log = {
  info(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  error(message: string, fields?: object): void
}
