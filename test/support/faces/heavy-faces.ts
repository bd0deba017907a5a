/** Generates faces that keep a window busy for seconds or for good, each in a form of its own, and small ones of the same forms. */
import { createSeededRandom } from '../seeded-random.ts';

export interface HeavyFace {
  readonly name: string;
  readonly content: string;
  /** the same form, but small */
  readonly light: string;
}

type Random = () => number;
/** Makes a face; a heavy one where `heavy` is true. */
type Make = (random: Random, heavy: boolean) => string;

const repeat = (length: number, make: (index: number) => string): string =>
  Array.from({ length }, (_x, index) => make(index)).join('');
const pick = <T>(random: Random, list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
const between = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
const name = (random: Random): string => `n${String(between(random, 1, 99_999))}`;

/** An SVG in which each group shows the one before it several times. */
function createBomb(random: Random, heavy: boolean): string {
  const id = name(random);
  const width = heavy ? between(random, 6, 12) : 2;
  const depth = heavy ? Math.ceil(7 / Math.log10(width)) : 3;
  const href = pick(random, ['href', 'xlink:href']);
  const uses = (index: number): string => `<use ${href}="#${id}${String(index)}"/>`.repeat(width);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"><g id="${id}0"><rect width="9" height="9"/></g>${repeat(depth, (i) => `<g id="${id}${String(i + 1)}">${uses(i)}</g>`)}<use ${href}="#${id}${String(depth)}"/></svg>`;
}

const encodeCharacter = (one: string): string => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The address of an image, in one of its spellings. */
function createDataUrl(random: Random, svg: string): string {
  const encode = pick(random, [
    (text: string) => `;base64,${Buffer.from(text).toString('base64')}`,
    (text: string) => `;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`,
    (text: string) => `,${encodeURIComponent(text).replaceAll("'", '%27').replace(/[()]/g, encodeCharacter)}`,
    (text: string) => `;utf8,${text.replace(/[%#<>"'(){}&\n]/g, encodeURIComponent)}`.replaceAll(' ', '%20'),
    (text: string) => `,${text.replace(/[\s\S]/g, encodeCharacter)}`,
  ]);
  return pick(random, ['data:image/svg+xml', 'DATA:Image/SVG+xml']) + encode(svg);
}

/** Shows an image, in one of the places that can. */
function createImage(random: Random, url: string): string {
  const id = name(random);
  return pick(random, [
    `<img src="${url}">`,
    `<img srcset="${url} 1x">`,
    `<img src="&#100;ata&colon;${url.slice(5)}">`,
    `<input type=image src='${url}'>`,
    `<video poster="${url}"></video>`,
    `<body background="${url}">x`,
    `<svg><image width=90 height=90 href="${url}"/></svg>`,
    `<svg><filter id=${id}><feImage href="${url}"/></filter><rect width=90 height=90 filter="url(#${id})"/></svg>`,
    `<p style="background:url(${url})">x`,
    `<p style='background:u\\72l("${url}")'>x`,
    `<style>.${id}{list-style:url("${url}")}</style><li class="${id}">x`,
    `<style>p::before{content:url(${url})}</style><p>x`,
    `<style>:root{--${id}:url('${url}')}p{background:var(--${id})}</style><p>x`,
    `<style>@keyframes ${id}{to{background:url("${url}")}}p{animation:${id} 1s forwards}</style><p>x`,
    `<p style="background:image-set('${url}' 1x)">x`,
  ]);
}

const nest = (depth: number, make: (index: number) => string, leaf: string): string =>
  repeat(depth, make) + leaf + '}'.repeat(depth);

const makers: Readonly<Record<string, Make>> = {
  'embedded image': (random, heavy) => createImage(random, createDataUrl(random, createBomb(random, heavy))),
  'image in an image': (random, heavy) => {
    const inner = createDataUrl(random, createBomb(random, heavy)).replaceAll('&', '&amp;');
    return createImage(
      random,
      createDataUrl(
        random,
        `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="${inner}" width="90" height="90"/></svg>`,
      ),
    );
  },
  'entities of an image': (random, heavy) => {
    const last = heavy ? 6 : 0;
    const entities = `<!ENTITY e0 "${heavy ? '<rect/>'.repeat(between(random, 8, 12)) : 'http://www.w3.org/2000/svg'}">${repeat(last, (i) => `<!ENTITY e${String(i + 1)} "${`&e${String(i)};`.repeat(10)}">`)}`;
    const svg = `<!DOCTYPE svg [${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${heavy ? `&e${String(last)};` : '<rect/>'}</svg>`;
    return createImage(random, createDataUrl(random, svg));
  },
  'template before the element': (random, heavy) => {
    const bomb = createBomb(random, heavy);
    const ids = [...bomb.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => `<i id="${id}"></i>`);
    return `<template>${ids.join('')}</template>${bomb}`;
  },
  'escaped references': (random, heavy) => {
    const id = name(random);
    const attribute = pick(random, ['mask', 'fill', 'clip-path', 'filter']);
    const hash = pick(random, ['\\23 ', '\\000023', '&#35;', '&num;', '\\23\t']);
    const element = { mask: 'mask', fill: 'pattern', 'clip-path': 'clipPath', filter: 'filter' }[attribute] ?? 'mask';
    const use = (index: number): string => `<rect width=9 height=9 ${attribute}="url(${hash}${id}${String(index)})"/>`;
    const width = heavy ? 10 : 1;
    return `<svg>${repeat(heavy ? 6 : 2, (i) => `<${element} id="${id}${String(i + 1)}">${use(i).repeat(width)}</${element}>`)}${use(heavy ? 6 : 2).repeat(width)}</svg>`;
  },
  'nested style rules': (random, heavy) => {
    const inner = pick(random, ['& &', '&, .b &', '&&&', ':is(&, .c &)&', ':not(&):not(.d &)', '.e & &']);
    const style = nest(heavy ? between(random, 30, 60) : 3, (i) => (i === 0 ? 'div,p{' : `${inner}{`), 'color:red');
    return `<style>${style}</style>${'<div>'.repeat(60)}x`;
  },
  'deep style rules': (random, heavy) => {
    const selector = pick(random, ['div', '&', '.a &', '> p']);
    return `<style>${nest(heavy ? between(random, 500, 2000) : 4, () => `${selector}{`, 'color:red')}</style>${'<div>'.repeat(60)}x`;
  },
  'selectors that look at others': (random, heavy) => {
    const elements = heavy ? between(random, 6000, 9000) : 200;
    const rule = pick(random, [
      (i: number) => `*:has(~ .b${String(i)}){color:red}`,
      (i: number) => `p:HAS(~ p ~ .b${String(i)}){color:red}`,
      (i: number) => `p:nth-child(${String(i + 2)}n of :has(~ .x${String(i)})){color:red}`,
      (i: number) => `body{& p:has(~ .c${String(i)}){color:red}}`,
    ]);
    return `<style>${repeat(heavy ? 12 : 3, rule)}</style>${'<p>x'.repeat(elements)}`;
  },
  'backdrop filters': (random, heavy) => {
    const property = pick(random, ['backdrop-filter', '-webkit-backdrop-filter', 'back\\64rop-filter']);
    const id = name(random);
    const moves = pick(random, [
      `@keyframes ${id}{to{${property}:blur(60px)}}div{animation:${id} 1s infinite}`,
      `@keyframes ${id}{to{rotate:360deg}}b{display:block;animation:${id} 1s infinite}`,
    ]);
    const rule = `div{position:absolute;inset:0;${property}:blur(${String(between(random, 10, 40))}px)}`;
    return `<style>${rule}${moves}</style><b>x</b>${'<div></div>'.repeat(heavy ? between(random, 60, 300) : 4)}`;
  },
  marquees: (random, heavy) =>
    pick(random, ['<marquee>x</marquee>', '<MARQUEE direction=up>x</MARQUEE>', '<marquee><b>x</b></marquee>']).repeat(
      heavy ? between(random, 2000, 4000) : 5,
    ),
  'combining characters': (random, heavy) => {
    const mark = pick(random, ['\u0301', '\u0323', '&#769;', '&#x301;', '\u05b0']);
    const text = `a${mark.repeat(between(random, 1, 8))}`.repeat(heavy ? 40_000 : 200).slice(0, 390_000);
    return `<p style="width:1px;word-break:break-all">${text}`;
  },
  // Not counted: the window itself has to be asked.
  'nested columns': (random, heavy) => {
    const columns = String(between(random, 3, 5));
    return `<style>div{columns:${columns}}</style>${'<div>'.repeat(heavy ? between(random, 18, 24) : 3)}x y z`;
  },
};

/** Creates `count` faces from a seed, of all forms in turn. */
export function heavyFaces(seed: number, count: number): readonly HeavyFace[] {
  const random = createSeededRandom(seed);
  const forms = Object.entries(makers);
  return Array.from({ length: count }, (_x, index) => {
    const [form, make] = forms[index % forms.length] ?? ['', () => ''];
    const formSeed = Math.floor(random() * 2 ** 32);
    return {
      name: `${String(index)} ${form}`,
      content: make(createSeededRandom(formSeed), true),
      light: make(createSeededRandom(formSeed), false),
    };
  });
}
