// The tasks of every lesson, and what becomes of some tries: read from standard input as a list of
// { kind, name, actions, now }.
const kinds = JSON.parse(Deno.args[0]), tasks = {};
for (const kind of kinds) {
  tasks[kind] = (await import(`../../src/escapade/client/${kind}/tasks.js`)).TASKS;
}
const tries = JSON.parse(await new Response(Deno.stdin.readable).text());
const verdicts = tries.map(({ kind, name, actions, now }) =>
  tasks[kind].find((task) => task.name === name).judge(actions, now)
);
const shown = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    tasks[kind].map(({ name, position, given = [], solution, luck, plans = {} }) => ({
      name,
      position,
      given,
      plans,
      solution: solution.map((action) => luck?.(action) ?? action),
    })),
  ]),
);
console.log(JSON.stringify({ tasks: shown, verdicts }));
