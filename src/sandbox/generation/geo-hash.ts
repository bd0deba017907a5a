/** Places of dropped objects, and geohashes. */

export const PLACES = [
  [59.9075, 10.7531], [53.5436, 9.9669], [46.5197, 8.0344], [46.6193, 12.3027], [47.0945, 12.6944], [45.4372, 12.3346],
  [55.6761, 12.6009], [57.7066, 11.9364], [46.0207, 7.7491], [46.9571, 11.1122], [43.2951, 5.3742], [41.3784, 2.1925],
] as const; // prettier-ignore

const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The geohash of a place in degrees. */
export function geoHash(latitude: number, longitude: number, length = 9): string {
  const range: [[number, number], [number, number]] = [
    [-180, 180],
    [-90, 90],
  ];
  let text = '';
  let bits = 0;
  for (let bit = 0; bit < length * 5; bit++) {
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
