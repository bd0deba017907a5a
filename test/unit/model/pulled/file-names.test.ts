/** Names of pulled files: accepted by every system, different on all of them, and the same in every order. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assignFileNames, toFileName } from '../../../../src/model/pulled/file-names.ts';

/** Names that somebody may give, and those that break file systems. */
const names = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.constantFrom(
    ...['Ticket', 'ticket', 'TICKET ', 'Ticket.', '.ticket', 'CON', 'nul.html', 'com¹', 'LPT9 .x', '..', '.', '', ' '],
    ...[
      'a/b',
      'a\\b',
      'c:d',
      'a*?"<>|',
      'é',
      'e\u0301',
      'ſ',
      'S',
      'ß',
      'SS',
      'K',
      '\u212a',
      '\u202egnp.exe',
      '🎟️'.repeat(60),
    ],
  ),
);
const ids = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom('a', 'A', 'x-a', '-', '…'));
const resources = fc.uniqueArray(fc.record({ id: ids, name: names }), { selector: ({ id }) => id, maxLength: 30 });

/** Rules of Windows and macOS, written from their documentation. */
function assertPortable(name: string): void {
  assert.doesNotMatch(name, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[. ]|[. ]$|[\u202a-\u202e\u2066-\u2069]/u);
  assert.doesNotMatch(name, /^(?:CON|PRN|AUX|NUL|COM\d|LPT\d) *(?:\.|$)/i);
  assert.ok(name !== '' && Buffer.byteLength(`${name}.template.json`) <= 143, name);
  assert.equal(name.normalize('NFC'), name);
}

suite('names of pulled files', () => {
  test('any name becomes one that every system accepts', () => {
    fc.assert(
      fc.property(names, (name) => {
        assertPortable(toFileName(name));
      }),
    );
    assert.equal(toFileName('Ticket  for “Two”, 50 % off'), 'Ticket for “Two”, 50 % off');
    assert.equal(toFileName('con'), '_con');
    assert.equal(toFileName('...'), 'unnamed');
  });

  test('no two resources share a name, also if case and forms of Unicode do not count', () => {
    fc.assert(
      fc.property(resources, (list) => {
        const assigned = assignFileNames(list);
        assert.deepEqual(new Set(assigned.keys()), new Set(list.map(({ id }) => id)));
        for (const name of assigned.values()) assertPortable(name);
        for (const fold of [
          (name: string) => name.normalize('NFD').toLowerCase(),
          (name: string) => name.normalize('NFKC').toUpperCase(),
        ])
          assert.equal(new Set([...assigned.values()].map(fold)).size, list.length);
      }),
    );
  });

  test('names do not depend on the order, and stay while others are added, renamed and deleted', () => {
    fc.assert(
      fc.property(resources, resources, fc.infiniteStream(fc.nat()), (list, added, random) => {
        const before = assignFileNames(list);
        const shuffled = list
          .map((resource) => ({ resource, key: random.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ resource }) => resource);
        assert.deepEqual(Object.fromEntries(assignFileNames(shuffled)), Object.fromEntries(before));
        const after = assignFileNames([...added, ...list.map(({ id }) => ({ id, name: 'renamed' }))], before);
        for (const [id, name] of before) assert.equal(after.get(id), name);
        assert.equal(new Set([...after.values()].map((name) => name.toLowerCase())).size, after.size);
      }),
    );
  });

  test('those that share a name get the end of their id, and a new one does not take the name of an old one', () => {
    const list = [
      { id: 'fac_0a1b2c3d4e5f', name: 'Ticket' },
      { id: 'fac_aaaaaaBBBBBB', name: 'TICKET' },
      { id: 'fac_3', name: 'Pass' },
    ];
    const assigned = assignFileNames(list);
    assert.deepEqual([...assigned.values()].sort(), ['Pass', 'TICKET-bbbbbb', 'Ticket-3d4e5f']);
    assert.equal(assignFileNames([{ id: 'fac_4', name: 'pass' }], assigned).get('fac_4'), 'pass-fac4');
  });
});
