/**
 * Puts still WebP pictures together into one animation that repeats. Each frame has `webp` (one opaque picture), `x` and `y`
 * (where it is drawn over what is there already; even numbers), `width`, `height` and `milliseconds`. The container is that
 * of https://developers.google.com/speed/webp/docs/riff_container.
 */
export function animatedWebp({ width, height }, frames) {
  const header = Buffer.alloc(10)
  header[0] = 0b10 // has an animation; nothing else that is optional
  header.writeUIntLE(width - 1, 4, 3)
  header.writeUIntLE(height - 1, 7, 3)
  // Background: white, which the first frame covers. Repeats: 0 is without end.
  const animation = Buffer.from([255, 255, 255, 255, 0, 0])
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', header),
    chunk('ANIM', animation),
    ...frames.map((frame) => chunk('ANMF', frameOf(frame))),
  ])
  return Buffer.concat([Buffer.from('RIFF'), size(body.length), body])
}

function frameOf({ webp, x, y, width, height, milliseconds }) {
  const head = Buffer.alloc(16)
  head.writeUIntLE(x / 2, 0, 3)
  head.writeUIntLE(y / 2, 3, 3)
  head.writeUIntLE(width - 1, 6, 3)
  head.writeUIntLE(height - 1, 9, 3)
  head.writeUIntLE(Math.round(milliseconds), 12, 3)
  head[15] = 0b10 // over what is there, without blending; it stays when the next one comes
  return Buffer.concat([head, pictureOf(webp)])
}

/** The chunk with the picture itself, out of a WebP file. */
function pictureOf(webp) {
  for (let at = 12; at + 8 <= webp.length;) {
    const length = webp.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (['VP8 ', 'VP8L'].includes(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end)
    at = end
  }
  throw new Error('this is no WebP picture')
}

const chunk = (name, content) =>
  Buffer.concat([Buffer.from(name), size(content.length), content, Buffer.alloc(content.length % 2)])

function size(bytes) {
  const field = Buffer.alloc(4)
  field.writeUInt32LE(bytes)
  return field
}
