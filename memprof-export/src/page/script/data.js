/** Reads what the page carries: its head, and a compressed stream of one document and of columns of
 * numbers that `columns.rs` wrote. `report.d.ts` says what comes of it. */
const Data = (() => {
  /** Numbers from a place on. The sign is the lowest bit of the first byte, minus nought is not known.
   * If they are changes, what comes of them. All in locals: a million calls have seven of each. */
  const decode = (bytes, begin, count, areChanges) => {
    const numbers = new Float64Array(count);
    let at = begin;
    let last = 0;
    for (let index = 0; index < count; index += 1) {
      let byte = bytes[at++];
      const negative = byte & 1;
      let amount = (byte >> 1) & 63;
      if (byte > 127) {
        byte = bytes[at++];
        amount |= (byte & 127) << 6;
        if (byte > 127) {
          byte = bytes[at++];
          amount |= (byte & 127) << 13;
          // Past 31 bits, shifts would lose the rest.
          for (let unit = 1 << 20; byte > 127; unit *= 128) {
            byte = bytes[at++];
            amount += (byte & 127) * unit;
          }
        }
      }
      if (negative) {
        if (amount === 0) { numbers[index] = NaN; continue; }
        amount = -amount;
      }
      if (areChanges) { last += amount; amount = last; }
      numbers[index] = amount;
    }
    return numbers;
  };

  /** Takes one column after the other. */
  const reader = (bytes) => {
    let at = 0;

    /** Where the next column begins. Behind it is the one after. */
    const next = () => {
      let length = 0;
      let unit = 1;
      let byte = 0;
      do {
        byte = bytes[at++];
        // The lowest bit of the first byte is the sign, of which a length has none.
        length += unit === 1 ? (byte & 127) >> 1 : (byte & 127) * unit;
        unit = unit === 1 ? 64 : unit * 128;
      } while (byte > 127);
      at += length;
      return at - length;
    };

    return {
      text: () => { const begin = next(); return new TextDecoder().decode(bytes.subarray(begin, at)); },
      /** So many numbers as they are. */
      numbers: (count) => decode(bytes, next(), count, false),
      /** So many numbers, each told as its change. */
      changes: (count) => decode(bytes, next(), count, true),
      /** Where the next column is; it is read later. */
      skip: () => { const begin = at; next(); return begin; },
      /** Goes to where a column is. */
      to: (begin) => { at = begin; },
    };
  };

  const readCharts = (charts, moments, columns) => charts.map((chart) => ({
    ...chart,
    curves: chart.curves.map(({ name, style, times, gaps }) => {
      const values = columns.changes(moments[times].length);
      return { name, style, times: moments[times], values, gaps: gaps ?? [] };
    }),
  }));

  const readCalls = (count, columns) => {
    const calls = {
      count,
      path: new Uint32Array(columns.numbers(count)),
      start: columns.changes(count),
      duration: columns.numbers(count),
      delta: columns.numbers(count),
      before: columns.changes(count),
      after: columns.numbers(count),
      tensors: columns.numbers(count),
    };
    for (let call = 0; call < count; call += 1) calls.after[call] += calls.before[call] + calls.delta[call];
    return calls;
  };

  const readLanes = (rows) => {
    const threads = new Map();
    let first = 0;
    const lanes = rows.map(({ thread, count }, index) => {
      if (!threads.has(thread)) threads.set(thread, { thread, lanes: [] });
      threads.get(thread).lanes.push(index);
      first += count;
      return { thread, first: first - count, count };
    });
    return { threads: [...threads.values()], lanes };
  };

  const readNodes = ({ nodes: count, names, devices }, columns) => {
    const parent = new Int32Array(columns.numbers(count));
    const kind = new Uint8Array(columns.numbers(count));
    const name = new Uint32Array(columns.numbers(count));
    const device = new Uint16Array(columns.numbers(count));
    for (let node = 0; node < count; node += 1) parent[node] = node - parent[node];
    // The program is nobody's child.
    if (count > 0) parent[0] = -1;
    return {
      count, parent, kind,
      name: Array.from(name, (index) => names[index]),
      device: (node) => { const word = devices[device[node]]; return word === "cpu" ? "" : word; },
    };
  };

  /** All nodes of a tree from its leaves: bytes and allocations at and below each. */
  const grown = (told, begin, nodes, columns) => {
    columns.to(begin);
    const leaves = columns.changes(told.leaves);
    const amounts = columns.numbers(told.leaves);
    const counted = columns.changes(told.allocations);
    const counts = columns.numbers(told.allocations);
    const bytes = new Float64Array(nodes.count);
    const allocations = new Float64Array(nodes.count);
    const there = new Uint8Array(nodes.count);
    const unknown = new Uint8Array(nodes.count);
    leaves.forEach((node, index) => { there[node] = 1; bytes[node] = amounts[index]; });
    counted.forEach((node, index) => { there[node] = 1; allocations[node] = counts[index]; });
    // None known and some unknown is not none.
    const partly = new Uint8Array(nodes.count);
    for (const node of told.uncounted) unknown[node] = partly[node] = 1;
    let count = 0;
    for (let node = nodes.count - 1; node >= 0; node -= 1) {
      if (there[node] === 0) continue;
      count += 1;
      const parent = nodes.parent[node];
      if (parent < 0) continue;
      there[parent] = 1;
      bytes[parent] += bytes[node];
      allocations[parent] += allocations[node];
      partly[parent] |= partly[node];
    }
    const tree = {
      nodes: new Uint32Array(count), bytes: new Float64Array(count), allocations: new Float64Array(count),
      total: bytes[0] ?? 0, verdict: told.verdict,
    };
    let index = 0;
    for (let node = 0; node < nodes.count; node += 1) {
      if (there[node] === 0) continue;
      const parent = nodes.parent[node];
      if (parent >= 0 && unknown[parent]) unknown[node] = 1;
      tree.nodes[index] = node;
      tree.bytes[index] = bytes[node];
      tree.allocations[index] = unknown[node] || nodes.kind[node] !== 0 || (allocations[node] === 0 && partly[node]) ? NaN : allocations[node];
      index += 1;
    }
    return tree;
  };

  const readTrees = (told, nodes, columns) => {
    const begins = told.map(() => { const begin = columns.skip(); for (let more = 0; more < 3; more += 1) columns.skip(); return begin; });
    const trees = [];
    return (index) => {
      trees[index] ??= grown(told[index], begins[index], nodes, columns);
      return trees[index];
    };
  };

  const read = async () => {
    const head = JSON.parse(document.getElementById("head").textContent);
    const columns = reader(await Packed.bytes("columns"));
    const { charts, times, lanes, calls, nodes, names, devices, trees, snapshots, ...rest } = JSON.parse(columns.text());
    const moments = times.map((count) => columns.changes(count));
    const report = {
      ...head, ...rest,
      charts: readCharts(charts, moments, columns),
      ...readLanes(lanes),
      calls: readCalls(calls, columns),
      nodes: readNodes({ nodes, names, devices }, columns),
      snapshots: snapshots.map((snapshot) => ({ ...snapshot, hasTree: snapshot.tree !== null })),
    };
    const tree = readTrees(trees, report.nodes, columns);
    report.tree = (snapshot) => {
      const index = report.snapshots[snapshot]?.tree ?? null;
      return index === null ? null : tree(index);
    };
    return report;
  };

  return { read };
})();
