import assert from 'node:assert/strict';
import { parseFaceFile } from '../../../../src/faces/source/parse-face-file.ts';

suite('face files', () => {
  test('a file is parsed by its name and content', () => {
    const read = (name: string, text: string) => parseFaceFile(name, text);
    assert.match(JSON.stringify(read('a.face.json', '"<p>x</p>"')), /"content":"<p>x<\/p>"/);
    assert.match(JSON.stringify(read('a.face.json', '{"name":"N","url":"https://x.example"}')), /"name":"N"/);
    assert.match(JSON.stringify(read('a.face.json', '{')), /not valid JSON/);
    assert.match(JSON.stringify(read('a.face.json', '[]')), /does not contain a face/);
    assert.match(JSON.stringify(read('badge.face.svg', '<p>x')), /"name":"badge".*image\/svg\+xml/);
  });
});
