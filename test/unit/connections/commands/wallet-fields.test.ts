/** The fields of Register Wallet: the contract's rules, nothing required, nothing empty sent. */
import assert from 'node:assert/strict';
import * as form from '../../../../src/connections/commands/wallet-fields.ts';

const empty = { nickname: '', email: ' ', phone: '', language: '', avatarId: '', avatarUrl: '', password: '' };

suite('wallet form', () => {
  const cases: readonly (readonly [keyof typeof form, readonly string[], readonly string[]])[] = [
    ['validateNickname', ['', '  ', 'Ada99', 'x'.repeat(255)], ['Ada Lovelace', 'ada-1', 'ä', 'x'.repeat(256)]],
    [
      'validateEmail',
      ['', 'ada@example.com', 'a.b+c@d.example'],
      ['ada', 'ada@', '@example.com', 'a b@c.d', 'a@b', 'a@b..c'],
    ],
    ['validatePhone', ['', '+4915112345678', '+12'], ['015112345678', '+0151', '+1 555', '+1234567890123456', '+']],
    ['validateAvatarId', ['', 'asset-1'], ['asset 1', 'x'.repeat(257)]],
    [
      'validateAvatarUrl',
      ['https://x.example/a.png', 'http://x.example/a.png'],
      ['', 'a.png', 'javascript:x', 'data:,x'],
    ],
    ['validatePassword', ['', 'pass word', ' '], ['a\nb', 'a\u0000']],
  ];
  for (const [name, good, bad] of cases) {
    test(name, () => {
      const problem = form[name] as (typed: string) => string | undefined;
      for (const typed of good) assert.equal(problem(typed), undefined, typed);
      for (const typed of bad) assert.equal(typeof problem(typed), 'string', typed);
    });
  }

  test('only filled-in fields are sent, and the password unchanged', () => {
    assert.deepEqual(form.createWalletRegistration(empty), {});
    assert.deepEqual(
      form.createWalletRegistration({
        nickname: ' Ada ',
        email: 'a@b.example',
        phone: '+12',
        language: 'en',
        avatarId: 'a1',
        avatarUrl: ' https://x.example/a ',
        password: ' p ',
      }),
      {
        nickname: 'Ada',
        email: 'a@b.example',
        phone_number: '+12',
        language: 'en',
        avatar: { id: 'a1', url: 'https://x.example/a' },
        password: ' p ',
      },
    );
  });
});
