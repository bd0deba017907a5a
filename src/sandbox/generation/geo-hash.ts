/** Geohashes. */

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The geohash of a place in degrees, nine characters. */
export function geoHash(latitude: number, longitude: number): string {
  const range: [[number, number], [number, number]] = [
    [-180, 180],
    [-90, 90],
  ];
  let text = '';
  let bits = 0;
  for (let bit = 0; bit < 9 * 5; bit++) {
    const side = range[bit % 2 === 0 ? 0 : 1];
    const middle = (side[0] + side[1]) / 2;
    const above = (bit % 2 === 0 ? longitude : latitude) >= middle;
    if (above) side[0] = middle;
    else side[1] = middle;
    bits = bits * 2 + (above ? 1 : 0);
    if (bit % 5 === 4) {
      text += ALPHABET.charAt(bits);
      bits = 0;
    }
  }
  return text;
}
