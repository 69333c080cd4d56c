/** The value of a cookie in the header `cookie`; undefined where it is not there. */
export const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
