/**
 * Members (GPUs or nodes, by number) that are alike but for the CPU and memory free on their node, in bands of these. A
 * look-up passes over whole bands; members are looked at one by one only in a band that the request falls into.
 */
export class Pile {
  size = 0
  private readonly bands = new Map<number, number[]>()
  private keys: readonly number[] = []

  add(member: number, band: number, places: Int32Array): void {
    let members = this.bands.get(band)
    if (members === undefined) {
      members = []
      this.bands.set(band, members)
      this.keys = [...this.bands.keys()].toSorted((a, b) => a - b)
    }
    places[member] = members.push(member) - 1
    this.size += 1
  }

  remove(member: number, band: number, places: Int32Array): void {
    const members = this.bands.get(band)
    const last = members?.pop()
    if (members === undefined || last === undefined) throw new Error('a pile lost a member')
    this.size -= 1
    if (last === member) return
    const place = places[member] ?? 0
    members[place] = last
    places[last] = place
  }

  /** A member on which the request fits, from the tightest band that has one. */
  find(
    least: { readonly cpuMilli: number; readonly memory: number },
    fits: (member: number) => boolean,
  ): number | undefined {
    const [cpu, memory] = [cpuBand(least.cpuMilli), memoryBand(least.memory)]
    for (const key of this.keys) {
      if (key >> BAND_BITS < cpu || (key & BAND_MASK) < memory) continue
      const found = this.bands.get(key)?.find(fits)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The band of a node's free CPU and memory; bands double every two steps. */
export const bandOf = (cpuMilli: number, memory: number): number =>
  (cpuBand(cpuMilli) << BAND_BITS) | memoryBand(memory)

const BAND_BITS = 6
const BAND_MASK = 2 ** BAND_BITS - 1

const cpuBand = (cpuMilli: number): number => step(cpuMilli / 250)
const memoryBand = (memory: number): number => step(memory / 512)
const step = (amount: number): number => (amount < 1 ? 0 : Math.min(BAND_MASK, 1 + Math.floor(2 * Math.log2(amount))))
