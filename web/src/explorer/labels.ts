// SPDX-License-Identifier: Apache-2.0 OR MIT

/**
 * Moves labels apart so that none covers another, each as near to its place as the others allow and
 * all between `from` and `to`, where there is room for that.
 *
 * @param wanted where each would stand
 * @param gap the least distance
 * @returns where each stands, in the order of `wanted`
 */
export function spread(wanted: readonly number[], gap: number, from: number, to: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const groups: { members: number[]; start: number }[] = [];
  for (const i of order) {
    groups.push({ members: [i], start: placed([i]) });
    // Those that touch are one group, in the middle of where its members want to be.
    for (let last = groups.length - 1; last > 0 && touches(last); last--) merge(last);
  }
  const places = [...wanted];
  for (const { members, start } of groups) {
    members.forEach((i, n) => {
      places[i] = start + n * gap;
    });
  }
  return places;

  function placed(members: number[]): number {
    const middle = members.reduce((sum, i, n) => sum + (wanted[i] ?? 0) - n * gap, 0);
    const highest = to - (members.length - 1) * gap;
    return Math.max(from, Math.min(highest, middle / members.length));
  }

  function touches(last: number): boolean {
    const [before, after] = [groups[last - 1], groups[last]];
    if (before === undefined || after === undefined) return false;
    return before.start + before.members.length * gap > after.start;
  }

  function merge(last: number): void {
    const members = groups.splice(last - 1, 2).flatMap((group) => group.members);
    groups.push({ members, start: placed(members) });
  }
}
