//! Tests of the reader with valid and broken models.

use super::{read, read_from};
use crate::model::{Goal, Model, Relation, VariableKind};
use crate::one_line;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Cursor, Write};
use std::path::Path;

const INF: f64 = f64::INFINITY;

/// A model with one line of every kind, in the columns of fixed format.
const SMALL: &str = "\
* A remark
NAME          SMALL
OBJSENSE
    MAX
ROWS
 N  PROFIT
 L  HOURS
 G  ORDERS
 E  BALANCE
 N  WATCHED
COLUMNS
    CHAIR     PROFIT            12.5   HOURS              2.0
    CHAIR     ORDERS             1.0   WATCHED            1.0
    M1        'MARKER'                 'INTORG'
    TABLE     PROFIT            30.0   HOURS            5.0D0
    TABLE     BALANCE            1.0
    M2        'MARKER'                 'INTEND'
    STOCK     BALANCE           -1.0
RHS
    RHS       HOURS             40.0   ORDERS             3.0
    RHS       PROFIT             7.0
RANGES
    RNG       HOURS             10.0   BALANCE           -2.0
BOUNDS
 UP BND       CHAIR             20.0
 MI BND       STOCK
QUADOBJ
    CHAIR     CHAIR             -2.0
    CHAIR     TABLE              0.5
QCMATRIX   HOURS
    CHAIR     TABLE              0.5
    TABLE     CHAIR              0.5
ENDATA
";

fn read_bytes(bytes: &[u8]) -> Result<Model, String> {
    read_from(Path::new("model.mps"), Cursor::new(bytes.to_vec())).map_err(|error| one_line(&error))
}

fn model(text: &str) -> Model {
    read_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory takes every byte");
    encoder.finish().expect("memory takes every byte")
}

/// Formats the variables as `name kind [lower, upper]`.
fn variables(model: &Model) -> Vec<String> {
    let shown = model.variables.iter();
    shown.map(|v| format!("{} {:?} [{}, {}]", v.name, v.kind, v.lower, v.upper)).collect()
}

/// Formats the constraints as `lower <= polynomial <= upper`. Variables are named by their
/// position.
fn constraints(model: &Model) -> Vec<String> {
    let shown = model.constraints.iter();
    shown
        .map(|constraint| {
            let linear = constraint.polynomial.linear.iter();
            let linear = linear.map(|term| format!("{} x{}", term.coefficient, term.variable));
            let quadratic = constraint.polynomial.quadratic.iter();
            let quadratic = quadratic
                .map(|term| format!("{} x{} x{}", term.coefficient, term.first, term.second));
            let terms: Vec<String> = linear.chain(quadratic).collect();
            format!("{} <= {} <= {}", constraint.lower, terms.join(" + "), constraint.upper)
        })
        .collect()
}

#[test]
fn a_model_is_read_section_by_section() {
    let model = model(SMALL);
    assert_eq!(model.name, "SMALL");
    assert_eq!((model.objective.goal, model.objective.offset), (Goal::Maximize, -7.0));
    assert_eq!(model.objective.name, "PROFIT");
    assert_eq!(
        variables(&model),
        ["CHAIR Continuous [0, 20]", "TABLE Integer [0, 1]", "STOCK Continuous [-inf, inf]",],
    );
    assert_eq!(
        constraints(&model),
        [
            "30 <= 2 x0 + 5 x1 + 1 x0 x1 <= 40",
            "3 <= 1 x0 <= inf",
            "-2 <= 1 x1 + -1 x2 <= 0",
            "-inf <= 1 x0 <= inf",
        ],
    );
    let relations: Vec<_> = model.constraints.iter().map(|row| row.relation).collect();
    assert_eq!(relations, [Relation::AtMost, Relation::AtLeast, Relation::Equal, Relation::Free],);
}

#[test]
fn the_matrix_is_the_same_by_terms_by_rows_and_by_columns() {
    let model = model(SMALL);
    let terms = model.constraints.iter().flat_map(|constraint| &constraint.polynomial.linear);
    let (indices, values): (Vec<_>, Vec<_>) =
        terms.map(|term| (term.variable, term.coefficient)).unzip();
    assert_eq!((&model.rows.column_indices, &model.rows.values), (&indices, &values));
    assert_eq!(model.rows.row_starts, [0, 2, 3, 5, 6]);
    assert_eq!(model.columns.to_rows(4), model.rows);
}

#[test]
fn variables_are_found_by_name_and_by_family() {
    let text = "ROWS\n N COST\nCOLUMNS\n X01 COST 1\n Y COST 1\n X02 COST 1\nENDATA\n";
    let model = model(text);
    assert_eq!((model.index["X01"], model.index["Y"], model.index["X02"]), (0, 1, 2));
    let families: Vec<_> = model.families.into_iter().collect();
    assert_eq!(families, [("X".to_owned(), vec![0, 2]), ("Y".to_owned(), vec![1])]);
}

#[test]
fn each_kind_of_bound_sets_its_limits() {
    let cases = [
        ("", "X Continuous [0, inf]"),
        (" LO B X -4\n", "X Continuous [-4, inf]"),
        (" UP B X 4\n", "X Continuous [0, 4]"),
        (" UP B X -4\n", "X Continuous [-inf, -4]"),
        (" UP B X -4\n LO B X -5\n", "X Continuous [-5, -4]"),
        (" FX B X 4\n", "X Continuous [4, 4]"),
        (" FR B X\n", "X Continuous [-inf, inf]"),
        (" FR B X 0.0\n", "X Continuous [-inf, inf]"),
        (" MI B X\n UP B X 4\n", "X Continuous [-inf, 4]"),
        (" PL B X\n", "X Continuous [0, inf]"),
        (" BV B X\n", "X Binary [0, 1]"),
        (" LI B X 2\n", "X Integer [2, inf]"),
        (" UI B X 2\n", "X Integer [0, 2]"),
        (" SC B X 9\n LO B X 2\n", "X SemiContinuous [2, 9]"),
        (" SC B X 0\n", "X SemiContinuous [0, inf]"),
        (" SI B X 9\n", "X SemiInteger [0, 9]"),
        (" UP X 4\n", "X Continuous [0, 4]"),
        (" FR X\n", "X Continuous [-inf, inf]"),
        (" UP B X Infinity\n", "X Continuous [0, inf]"),
        (" LO B X -1e30\n", "X Continuous [-inf, inf]"),
        (" UP B X 4\n UP C X 5\n", "X Continuous [0, 4]"),
    ];
    for (bounds, expected) in cases {
        let text = format!("ROWS\n N COST\nCOLUMNS\n X COST 1\nBOUNDS\n{bounds}ENDATA\n");
        assert_eq!(variables(&model(&text)), [expected], "{bounds}");
    }
}

#[test]
fn a_product_is_read_by_its_section() {
    let triangle = " X X 2\n X Y 6\n";
    let square = " X X 2\n X Y 6\n Y X 6\n";
    let cases = [
        ("QUADOBJ", triangle, "1 x0 x0 + 6 x0 x1"),
        ("QMATRIX", square, "1 x0 x0 + 6 x0 x1"),
        ("QSECTION COST", triangle, "1 x0 x0 + 6 x0 x1"),
        ("QCMATRIX COST", square, "2 x0 x0 + 12 x0 x1"),
        ("QUADOBJ", " Y X 6\n X X 1\n X X 1\n", "1 x0 x0 + 6 x0 x1"),
    ];
    for (section, products, expected) in cases {
        let text =
            format!("ROWS\n N COST\nCOLUMNS\n X COST 1\n Y COST 1\n{section}\n{products}ENDATA\n");
        let terms = model(&text).objective.polynomial.quadratic;
        let shown: Vec<String> = terms
            .iter()
            .map(|term| format!("{} x{} x{}", term.coefficient, term.first, term.second))
            .collect();
        assert_eq!(shown.join(" + "), expected, "{section}\n{products}");
    }
}

#[test]
fn a_semi_continuous_column_between_integer_markers_is_semi_integer() {
    let text =
        "ROWS\n N COST\nCOLUMNS\n M 'MARKER' 'INTORG'\n X COST 1\nBOUNDS\n SC B X 9\nENDATA\n";
    assert_eq!(model(text).variables[0].kind, VariableKind::SemiInteger);
}

#[test]
fn the_objective_is_on_its_own_line_or_next_to_the_section() {
    let cases = [
        ("", Goal::Minimize),
        ("OBJSENSE\n    MAX\n", Goal::Maximize),
        ("OBJSENSE MAX\n", Goal::Maximize),
        ("OBJSENSE MAXIMIZE\n", Goal::Maximize),
        ("OBJSENSE\n  MINIMIZE\n", Goal::Minimize),
    ];
    for (section, expected) in cases {
        let text = format!("NAME\n{section}ROWS\n N COST\nENDATA\n");
        assert_eq!(model(&text).objective.goal, expected, "{section}");
    }
}

#[test]
fn the_first_set_of_right_hand_sides_counts_and_may_be_unnamed() {
    let cases = [
        (" A LIMIT 4\n B LIMIT 5\n", (-INF, 4.0)),
        (" LIMIT 4 COST 1\n", (-INF, 4.0)),
        (" LIMIT 4\n", (-INF, 4.0)),
        ("", (-INF, 0.0)),
    ];
    for (lines, expected) in cases {
        let text = format!("ROWS\n N COST\n L LIMIT\nCOLUMNS\n X LIMIT 1\nRHS\n{lines}ENDATA\n");
        let limit = &model(&text).constraints[0];
        assert_eq!((limit.lower, limit.upper), expected, "{lines}");
    }
}

#[test]
fn names_in_fixed_format_may_contain_spaces() {
    let text = "\
ROWS
 N  NET COST
 L  ROW 1
COLUMNS
    COL A     NET COST           1.0   ROW 1              2.0
    B         ROW 1              3.0
RHS
    RHS       ROW 1              4.0
BOUNDS
 UP BND       COL A              5.0
 FR BND       B
ENDATA
";
    let model = model(text);
    assert_eq!(model.objective.name, "NET COST");
    assert_eq!(variables(&model), ["COL A Continuous [0, 5]", "B Continuous [-inf, inf]"]);
    assert_eq!(constraints(&model), ["-inf <= 2 x0 + 3 x1 <= 4"]);
}

#[test]
fn line_ends_tabs_and_compression_do_not_matter() {
    let carriage_returns = SMALL.replace('\n', "\r\n");
    let tabs = SMALL.replace("    ", "\t");
    let [first, second] = SMALL.split_at(SMALL.len() / 2).into();
    let cases = [
        ("plain", SMALL.as_bytes().to_vec()),
        ("carriage returns", carriage_returns.into_bytes()),
        ("tabs", tabs.into_bytes()),
        ("no line end at the end", SMALL.trim_end().as_bytes().to_vec()),
        ("gzip", gzip(SMALL)),
        ("two members of gzip", [gzip(first), gzip(second)].concat()),
    ];
    let expected = model(SMALL);
    for (what, bytes) in cases {
        let model = read_bytes(&bytes).expect(what);
        assert_eq!(variables(&model), variables(&expected), "{what}");
        assert_eq!(constraints(&model), constraints(&expected), "{what}");
    }
}

#[test]
fn a_broken_file_gives_one_error_with_line_and_cause() {
    let head = "ROWS\n N COST\n L LIMIT\nCOLUMNS\n X COST 1\n";
    let cases = [
        ("", "model.mps: expected a model in MPS format, found an empty file"),
        ("NAME x\nROWS\n", "model.mps:2: expected ENDATA, found the end of the file"),
        ("* only this\n", "model.mps:1: expected ENDATA, found the end of the file"),
        ("NAME x\nROWZ\n", r#"model.mps:2: expected a section of MPS such as ROWS, found "ROWZ""#),
        ("  N COST\n", r#"model.mps:1: expected a section of MPS such as ROWS, found "  N COST""#),
        (
            "SOS1\n",
            "model.mps:1: expected a linear, integer or quadratic model, found section SOS1",
        ),
        ("OBJSENSE\n UP\n", r#"model.mps:2: expected MIN or MAX, found "UP""#),
        ("OBJSENSE BEST\n", r#"model.mps:1: expected MIN or MAX, found "BEST""#),
        (
            "ROWS\n X COST\n",
            r#"model.mps:2: expected N, L, G or E before the name of a row, found "X""#,
        ),
        ("ROWS\n N\n", r#"model.mps:2: expected a kind of row and its name, found "N""#),
        ("ROWS\n L A\n G A\n", r#"model.mps:3: expected a new row, found "A" again"#),
        ("{head} X LIMITS 1\n", r#"model.mps:6: expected a row declared in ROWS, found "LIMITS""#),
        (
            "{head} X LIMIT 1.2.3\n",
            r#"model.mps:6: expected a number, found "1.2.3": invalid float literal"#,
        ),
        ("{head} X LIMIT nan\n", r#"model.mps:6: expected a finite number, found "nan""#),
        ("{head} X LIMIT 1e999\n", r#"model.mps:6: expected a finite number, found "1e999""#),
        (
            "{head} X LIMIT\n",
            r#"model.mps:6: expected a column, then a row and a number once or twice, found "X LIMIT""#,
        ),
        (
            "{head} M 'MARKER' 'INTEGER'\n",
            r#"model.mps:6: expected 'INTORG' or 'INTEND' after 'MARKER', found "'INTEGER'""#,
        ),
        ("{head} Y COST 1\n X LIMIT 1\n", r#"model.mps:7: expected a new column, found "X" again"#),
        (
            "{head} X COST 2\n",
            r#"model.mps:6: expected one coefficient of column "X" in row "COST", found another"#,
        ),
        (
            "{head}RHS\n RHS OTHER 1\n",
            r#"model.mps:7: expected a row declared in ROWS, found "OTHER""#,
        ),
        (
            "{head}RANGES\n RNG LIMIT 1 2 3 4\n",
            r#"model.mps:7: expected a row and a number once or twice, found "RNG LIMIT 1 2 3 4""#,
        ),
        (
            "{head}BOUNDS\n UP BND Z 1\n",
            r#"model.mps:7: expected a column declared in COLUMNS, found "Z""#,
        ),
        (
            "{head}BOUNDS\n XX BND X 1\n",
            r#"model.mps:7: expected a kind of bound such as LO or UP, found "XX""#,
        ),
        (
            "{head}BOUNDS\n UP X\n",
            r#"model.mps:7: expected a kind of bound, a column and a number, found "UP X""#,
        ),
        (
            "{head}BOUNDS\n UP BND X one\n",
            r#"model.mps:7: expected a number, found "one": invalid float literal"#,
        ),
        ("{head}QUADOBJ\n X X\n", r#"model.mps:7: expected two columns and a number, found "X X""#),
        (
            "{head}QSECTION OTHER\n",
            r#"model.mps:6: expected a row declared in ROWS, found "OTHER""#,
        ),
        (
            "0123456789 123456789 123456789 123456789 123456789 123456789 123456789\n",
            r#"model.mps:1: expected a section of MPS such as ROWS, found "0123456789""#,
        ),
        (
            "\u{1b}[31m\n",
            r#"model.mps:1: expected a section of MPS such as ROWS, found "\u{1b}[31m""#,
        ),
    ];
    for (text, expected) in cases {
        let text = text.replace("{head}", head);
        assert_eq!(read_bytes(text.as_bytes()).expect_err(&text), expected, "{text}");
    }
}

#[test]
fn bytes_that_are_not_text_are_an_error() {
    let whole = gzip(SMALL);
    let cases = [
        (
            b"NAME x\nROWS\n N C\xffST\n".to_vec(),
            "model.mps:3: expected UTF-8 text, found the byte 0xff: \
             invalid utf-8 sequence of 1 bytes from index 4",
        ),
        (vec![b' '; 1 << 20], "model.mps:1: expected at most 65536 bytes in a line, found more"),
        (whole[..6].to_vec(), "model.mps: cannot be read: unexpected end of file"),
        (
            [&gzip("NAME x\nROWS\n"), &whole[..6]].concat(),
            "model.mps:2: cannot be read: unexpected end of file",
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read_bytes(&bytes).expect_err(expected), expected);
    }
}

// The error's text differs on other systems.
#[cfg(unix)]
#[test]
fn a_path_that_is_not_a_file_is_an_error() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, cause) in [
        (here.to_owned(), "Is a directory (os error 21)"),
        (here.join("no-such-file.mps"), "No such file or directory (os error 2)"),
    ] {
        let error = read(&path).expect_err(cause);
        assert_eq!(one_line(&error), format!("{}: cannot be read: {cause}", path.display()));
    }
}

/// Netlib's table counts the objective as a row, and its 727 coefficients among the non-zeros.
#[test]
fn the_example_model_has_the_documented_size() {
    let path = Path::new(crate::DEFAULT_MODEL);
    let model = read(path).unwrap_or_else(|error| panic!("{}", one_line(&error)));
    assert_eq!(model.name, "25FV47");
    assert_eq!(model.constraints.len(), 822 - 1);
    assert_eq!(model.variables.len(), 1571);
    assert_eq!(model.rows.values.len(), 11_127 - 727);
    assert_eq!(model.objective.polynomial.linear.len(), 727);
    assert_eq!(model.columns.to_rows(821), model.rows);
}
