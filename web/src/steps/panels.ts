// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The panel of each step of an encryption: a few words, a drawing or a table, and every value.

import { element } from "../dom";
import { roundDrawing, whitening } from "./diagram";
import {
  type Equation,
  equations,
  formula,
  hexByte,
  hexBytes,
  hexWord,
  paragraph,
  scrollable,
  symbol,
  value,
} from "./notation";
import { sboxPanel } from "./sbox";
import { bytesOf, matrix, type Parts, ROUNDS, type Round, type Trace, type Word } from "./trace";

/** A step: its place in the list, and what it shows. */
export interface Step {
  /** On its button. */
  short: string;
  title: string;
  /** Where the paper has it. */
  sections: string;
  show(trace: Trace, parts: Parts): Node[];
}

// --- key schedule ----------------------------------------------------------------------------------

/** Bytes with their places, eight in a row. */
function byteGrid(caption: string, letter: string, bytes: Uint8Array): HTMLElement {
  const cells = [...bytes].map((byte, i) =>
    element(
      "li",
      {},
      element("span", { class: "place" }, symbol(`${letter}_${i}`)),
      element("code", {}, hexByte(byte)),
    ),
  );
  const list = element("ol", { class: "bytes", role: "list", "aria-label": caption }, ...cells);
  return element("figure", {}, element("figcaption", {}, caption), list);
}

function wordRows(letter: string, byteLetter: string, words: readonly Word[]): Equation[] {
  return words.map((word, i) => [
    `${letter}_${i}`,
    `bytes ${hexBytes(bytesOf(word))} (${byteLetter}_${4 * i} to ${byteLetter}_${4 * i + 3}), the first one lowest`,
    hexWord(word),
  ]);
}

function showKey({ key, text, M, Me, Mo, P }: Trace): Node[] {
  const list = (words: readonly Word[]) => words.map(hexWord).join(" ");
  const even = M.map((_, i) => i).filter((i) => i % 2 === 0);
  return [
    paragraph(
      "Bytes become words of 32 bits: four at a time, the first of the four in the lowest place. The words " +
        "of the key are then dealt out: those with even numbers make M_e, the odd ones M_o.",
    ),
    byteGrid("Bytes of the key", "m", key),
    equations("Words of the key", [
      ...wordRows("M", "m", M),
      ["M_e", `(${even.map((i) => `M_${i}`).join(", ")})`, list(Me)],
      ["M_o", `(${even.map((i) => `M_${i + 1}`).join(", ")})`, list(Mo)],
    ]),
    byteGrid("Bytes of the text", "p", text),
    equations("Words of the text", wordRows("P", "p", P)),
  ];
}

/** RS as it works: its columns are what it makes of a single bit, so they are asked of the library. */
function rsMatrix(parts: Parts): number[][] {
  return matrix(8, (j) => {
    const key = new Uint8Array(16);
    key[j] = 1;
    return parts.sboxKey(key)[1] ?? 0; // the word of the first eight bytes stands last
  });
}

function mdsMatrix(parts: Parts): number[][] {
  return matrix(4, (j) => parts.mds(1 << (8 * j)));
}

function matrixTable(caption: string, rows: readonly number[][]): HTMLElement {
  const lines = rows.map((row) =>
    element("tr", {}, ...row.map((number) => element("td", {}, hexByte(number)))),
  );
  return element(
    "table",
    { class: "matrix" },
    element("caption", {}, caption),
    element("tbody", {}, ...lines),
  );
}

function showS({ key, S }: Trace, parts: Parts): Node[] {
  const k = S.length;
  const rows = S.map((_, i): Equation => {
    const bytes = hexBytes(key.subarray(8 * i, 8 * i + 8));
    return [
      `S_${i}`,
      `RS · (${bytes}), bytes m_${8 * i} to m_${8 * i + 7}`,
      hexWord(S[k - 1 - i] ?? 0),
    ];
  });
  return [
    paragraph(
      "Each eight bytes of the key become one word: the matrix RS is multiplied with them, byte by byte, in a " +
        "field of 256 numbers. RS comes from an error-correcting code: a change of one byte of the key changes " +
        "all four bytes of its word. The list S has these words in reverse order, and makes the S-boxes.",
    ),
    equations("The words", [
      ...rows,
      [
        "S",
        `(${rows
          .map(([name]) => name)
          .reverse()
          .join(", ")})`,
        S.map(hexWord).join(" "),
      ],
    ]),
    matrixTable("The matrix RS", rsMatrix(parts)),
  ];
}

/** The use of a pair of subkeys. */
function use(i: number): string {
  if (i < 2) return "input whitening";
  return i < 4 ? "output whitening" : `round ${i - 4}`;
}

function showSubkeys({ pairs }: Trace): Node[] {
  const names = ["i", "A_i", "B_i", "K_2i", "K_2i+1", "for"];
  const head = names.map((name) =>
    element("th", { scope: "col" }, name === "for" ? name : symbol(name)),
  );
  const rows = pairs.map(({ i, A, B, K }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(i)),
      element("td", {}, value(`A_${i}`, hexWord(A))),
      element("td", {}, value(`B_${i}`, hexWord(B))),
      element("td", {}, value(`K_${2 * i}`, hexWord(K[0]))),
      element("td", {}, value(`K_${2 * i + 1}`, hexWord(K[1]))),
      element("td", {}, use(i)),
    ),
  );
  const caption = "The 40 subkeys";
  return [
    paragraph(
      "The function h, the S-boxes and the matrix MDS together, takes the number of a subkey instead of data, and " +
        "the key instead of S. Two words are added up in two ways, which gives two subkeys; all numbers are " +
        "modulo 2 to the power of 32, and ρ is 01010101.",
    ),
    element(
      "ul",
      { class: "formulas" },
      ...[
        "A_i = h(2iρ, M_e)",
        "B_i = ROL(h((2i + 1)ρ, M_o), 8)",
        "K_2i = A_i + B_i",
        "K_2i+1 = ROL(A_i + 2 B_i, 9)",
      ].map((text) => element("li", {}, formula(text))),
    ),
    scrollable(
      caption,
      element(
        "table",
        { class: "table subkeys" },
        element("caption", {}, caption),
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows),
      ),
    ),
  ];
}

// --- the block -------------------------------------------------------------------------------------

function drawn(drawing: SVGSVGElement): HTMLElement {
  return scrollable("Drawing of the step; its values are in the table as well", drawing);
}

function showInput({ P, K, rounds }: Trace): Node[] {
  const R = rounds[0]?.R ?? [];
  const from = { name: "P_", words: P };
  const keys = { first: 0, words: K.slice(0, 4) };
  return [
    paragraph(
      "Before the first round each word of the text is XORed with a subkey. An attacker of the first round " +
        "does not know its input.",
    ),
    drawn(whitening(from, keys, { name: "R_0,", words: R }, false)),
    equations(
      "Input whitening",
      R.map((word, i) => [
        `R_0,${i}`,
        `P_${i} xor K_${i} = ${hexWord(P[i] ?? 0)} xor ${hexWord(K[i] ?? 0)}`,
        hexWord(word),
      ]),
    ),
  ];
}

function roundEquations({ r, R, rotated, T, K, F, next }: Round): Equation[] {
  const word = (words: readonly Word[], i: number) => hexWord(words[i] ?? 0);
  const [k0, k1] = [2 * r + 8, 2 * r + 9];
  return [
    ...R.map(
      (_, i): Equation => [
        `R_${r},${i}`,
        r === 0 ? "from the input whitening" : `from round ${r - 1}`,
        word(R, i),
      ],
    ),
    [`T_${r},0`, `g(R_${r},0)`, hexWord(T[0])],
    [`T_${r},1`, `g(ROL(R_${r},1, 8)) = g(${hexWord(rotated)})`, hexWord(T[1])],
    [`K_${k0}`, "from the key schedule", hexWord(K[0])],
    [`K_${k1}`, "from the key schedule", hexWord(K[1])],
    [`F_${r},0`, `T_${r},0 + T_${r},1 + K_${k0}`, hexWord(F[0])],
    [`F_${r},1`, `T_${r},0 + 2 T_${r},1 + K_${k1}`, hexWord(F[1])],
    [`R_${r + 1},0`, `ROR(R_${r},2 xor F_${r},0, 1)`, word(next, 0)],
    [`R_${r + 1},1`, `ROL(R_${r},3, 1) xor F_${r},1`, word(next, 1)],
    [`R_${r + 1},2`, `R_${r},0`, word(next, 2)],
    [`R_${r + 1},3`, `R_${r},1`, word(next, 3)],
  ];
}

/** The two calls of g, byte by byte. */
function insideG(trace: Trace, { R, rotated, T, r }: Round): HTMLElement {
  const inputs = [R[0] ?? 0, rotated];
  const rows = inputs.flatMap((input, i) => {
    const before = bytesOf(input);
    const after = before.map((byte, j) => trace.boxes[j]?.[byte] ?? 0);
    const cells = (bytes: number[]) =>
      bytes.map((byte) => element("td", {}, element("code", {}, hexByte(byte))));
    const name = `T_${r},${i}`;
    return [
      element(
        "tr",
        {},
        element("th", { scope: "row" }, symbol(name), ": into g"),
        ...cells(before),
      ),
      element("tr", {}, element("th", { scope: "row" }, "after the S-boxes"), ...cells(after)),
      element(
        "tr",
        { class: "last" },
        element("th", { scope: "row" }, "after MDS"),
        element(
          "td",
          { colspan: 4 },
          element("code", {}, `${hexBytes(bytesOf(T[i] ?? 0))}, as a word ${hexWord(T[i] ?? 0)}`),
        ),
      ),
    ];
  });
  const head = ["", "byte 0", "byte 1", "byte 2", "byte 3"].map((text) =>
    text === "" ? element("td") : element("th", { scope: "col" }, text),
  );
  const caption = "Inside g";
  return scrollable(
    caption,
    element(
      "table",
      { class: "table inside" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    ),
  );
}

function showRound(r: number) {
  return (trace: Trace, parts: Parts): Node[] => {
    const round = trace.rounds[r];
    if (round === undefined) return [];
    return [
      paragraph(
        "Two words go through g, that is through the four S-boxes and the matrix MDS. The PHT adds the results up in " +
          "two ways, two subkeys are added, and the sums change the other two words. Then the halves change places.",
      ),
      element(
        "div",
        { class: "side-by-side" },
        drawn(roundDrawing(round)),
        equations(`Round ${r}`, roundEquations(round)),
      ),
      element(
        "div",
        { class: "side-by-side" },
        insideG(trace, round),
        matrixTable("The matrix MDS", mdsMatrix(parts)),
      ),
    ];
  };
}

function showOutput({ last, K, C, ciphertext }: Trace): Node[] {
  const from = { name: `R_${ROUNDS},`, words: last };
  const keys = { first: 4, words: K.slice(4, 8) };
  return [
    paragraph(
      "After the last round the halves have changed places once too often: that is undone. Then each word is XORed " +
        "with a subkey, as at the beginning, and its bytes are written lowest first.",
    ),
    drawn(whitening(from, keys, { name: "C_", words: C }, true)),
    equations("Output whitening", [
      ...C.map((word, i): Equation => {
        const source = (i + 2) % 4;
        const how = `R_${ROUNDS},${source} xor K_${i + 4} = ${hexWord(last[source] ?? 0)} xor ${hexWord(K[i + 4] ?? 0)}`;
        return [`C_${i}`, how, hexWord(word)];
      }),
      ["ciphertext", "the bytes of the four words", hexBytes(ciphertext)],
    ]),
  ];
}

export const STEPS: readonly Step[] = [
  { short: "Key", title: "Key and text as words", sections: "sections 4 and 4.3", show: showKey },
  { short: "S", title: "S, the key of the S-boxes", sections: "section 4.3", show: showS },
  {
    short: "S-boxes",
    title: "The four S-boxes",
    sections: "sections 4.3.2 and 4.3.5",
    show: sboxPanel,
  },
  { short: "Subkeys", title: "The subkeys", sections: "section 4.3.4", show: showSubkeys },
  { short: "In", title: "Input whitening", sections: "section 4", show: showInput },
  ...Array.from({ length: ROUNDS }, (_, r): Step => {
    const sections = "sections 4, 4.1 and 4.2";
    return { short: String(r), title: `Round ${r}`, sections, show: showRound(r) };
  }),
  { short: "Out", title: "Output whitening", sections: "section 4", show: showOutput },
];
