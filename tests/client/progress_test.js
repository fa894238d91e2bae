// How far somebody has come in a lesson.
import { deepStrictEqual } from 'node:assert';
import { progress } from '../../src/escapade/client/learn/progress.js';

const tasks = ['advance', 'jump', 'board'].map((name) => ({ name }));

Deno.test('a lesson goes on with the first task that is not done', () => {
  deepStrictEqual(progress(tasks, []), { all: false, next: 0 });
  deepStrictEqual(progress(tasks, ['advance', 'board']), { all: false, next: 1 });
  deepStrictEqual(progress(tasks, ['advance', 'jump', 'board']), { all: true, next: 0 });
});

Deno.test('the next task is one after the present one if there is any', () => {
  deepStrictEqual(progress(tasks, ['jump'], 1), { all: false, next: 2 });
  deepStrictEqual(progress(tasks, ['board'], 2), { all: false, next: 0 });
  deepStrictEqual(progress(tasks, ['advance', 'jump', 'board'], 2), { all: true, next: 2 });
});
