//! `pct explain`: what it says of states whose truth is known, from the paper or by hand.

use serde_json::Value;

use super::commands::{Scratch, fails, pct, stderr, stdout, text};

const GUARDED: &str = "examples/partition/partition_guarded.c";
const PARTITION: &str = "examples/partition/partition.c";
const PREDICATES: &str = "--predicates=examples/partition/partition.pred";

/// Two 8-bit members behind a pointer. For all inputs: at L4 the value is not below the range, since L3 has put it there.
const CLAMP: &str = "
struct pair { signed char low; signed char high; };

signed char clamp(struct pair *p, signed char x)
{
L0:	if (p->low > p->high) {
L1:		return 0;
	}
L2:	if (x < p->low) {
L3:		x = p->low;
	}
L4:	if (x > p->high) {
L5:		x = p->high;
	}
L6:	return x;
}
";

/// After L0 the value is even and at most 6, after L1 it is 2, 4, 6 or 8: it is never 5 at L2, and some run is there with another.
const EVEN: &str = "
struct box { unsigned char value; };

int even(struct box *p)
{
L0:	p->value &= 6;
L1:	p->value += 2;
L2:	if (p->value == 5) {
L3:		return 1;
	}
L4:	return 0;
}
";

#[track_caller]
fn explains(arguments: &[&str], words: &[&str]) -> String {
    // On a machine with much to do, everything may take long.
    let output = pct(&[&["explain", "--budget", "900"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for word in words {
        assert!(text.contains(word), "{word:?} is missing in\n{text}");
    }
    text
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&explains(&[arguments, &["--json"]].concat(), &[])).unwrap()
}

/// The values of a list of strings.
fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

#[test]
fn the_open_state_of_the_paper_is_explained_by_its_invariant() {
    let said = explains(
        &[GUARDED, PREDICATES, "L7:FFFT"],
        &[
            "L7:FFFT of partition: open\n",
            "  means     lo > hi && a[lo] > pivot && a[hi] > pivot\n",
            "L6:FTFT –may→ L7:FFFT  (not must+)\n      the state before does not decide `a[hi] > pivot`\n",
            "No run comes to L7:FFFT. This is proved with `a[lo - 1] <= pivot` tracked:\n    \
             a[lo - 1] <= pivot holds whenever a run is at ",
            "  (as it is)             53    41    12\n",
            "  a[lo - 1] <= pivot     50    41     9  decides 1 state\n",
        ],
    );
    assert!(!said.contains("lo >= hi"), "it is implied by lo > hi:\n{said}");
}

#[test]
fn the_json_says_what_the_text_says() {
    let json = json(&[GUARDED, PREDICATES, "L7:FFFT"]);
    assert_eq!(json["schema"], "pct-explanation/1");
    assert_eq!(json["state"], "L7:FFFT");
    assert_eq!(json["verdict"], "open");
    assert_eq!(json["meaning"]["c"], "lo > hi && a[lo] > pivot && a[hi] > pivot");
    assert_eq!(strings(&json["meaning"]["implied"]), ["lo >= hi"]);
    assert_eq!(json["upper"], true);
    assert_eq!(json["lower"], false);
    // The values are those of the state.
    let number = |model: &Value, place: &str| model[place].as_str().unwrap().parse::<i64>().unwrap();
    let model = &json["model"];
    assert!(number(model, "lo") > number(model, "hi"), "{model}");
    assert!(number(model, "a[lo]") > number(model, "pivot"), "{model}");
    assert!(number(model, "a[hi]") > number(model, "pivot"), "{model}");
    // The path begins at the entry and ends here; it breaks twice.
    let path = json["reason"]["path"].as_array().unwrap();
    assert_eq!(path[0]["from"], "entry");
    assert_eq!(path.last().unwrap()["to"], "L7:FFFT");
    for pair in path.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["from"]);
    }
    let breaks = json["reason"]["breaks"].as_array().unwrap();
    assert_eq!(breaks.len(), 2);
    assert_eq!((&breaks[0]["needed"], &breaks[1]["needed"]), (&"must-".into(), &"must+".into()));
    // Both states before the second break are L6:FTFT; the step takes one away from hi, and only one arrives at L7:FFFT.
    let second = &breaks[1];
    assert_eq!(strings(&second["lost"]), ["a[hi] > pivot"]);
    for memory in [&second["takes"], &second["leaves"]] {
        let before = &memory["before"];
        assert_eq!(number(before, "lo"), number(before, "hi"));
        assert!(number(before, "a[lo]") > number(before, "pivot"));
        assert_eq!(number(&memory["after"], "hi"), number(before, "hi") - 1);
    }
    let arrives = |memory: &Value| {
        let (before, after) = (&memory["before"], &memory["after"]);
        // What is not listed has not changed.
        let value = if after["a[hi]"].is_null() { number(before, "a[hi]") } else { number(after, "a[hi]") };
        value > number(before, "pivot")
    };
    assert!(arrives(&second["takes"]));
    assert!(!arrives(&second["leaves"]));
    assert_eq!(strings(&json["proof"]["tracked"]), ["a[lo - 1] <= pivot"]);
    assert!(json["test"].is_null());
    assert_eq!(json["sizes"]["upper"], 53);
    let suggested = json["suggestions"].as_array().unwrap();
    let texts: Vec<&str> = suggested.iter().map(|one| one["predicates"][0]["text"].as_str().unwrap()).collect();
    assert_eq!(texts[0], "a[lo - 1] <= pivot");
    assert!(texts.contains(&"a[hi + 1] > pivot"), "{texts:?}");
    assert_eq!(suggested[0]["sizes"]["upper"], 50);
    assert_eq!(suggested[0]["decided"], 1);
    assert_eq!(json["defects"].as_array().unwrap().len(), 0);
}

#[test]
fn states_of_l_are_explained_by_their_chains() {
    let initial = "In L: it is a start.\n  chain     L0:TTTT\n";
    explains(
        &[PARTITION, PREDICATES, "L0:TTTT"],
        &["L0:TTTT of partition: initial\n", initial, "it ran, and showed the state"],
    );
    let must = "In L: must- steps lead there, so every state of memory that it stands for is reached.\n  \
                chain     L0:TTTT –must#→ L1:TTTT –must#→ L2:TTTT –must#→ L3:TTTT\n";
    explains(&[PARTITION, PREDICATES, "L3:TTTT"], &["L3:TTTT of partition: must\n", must]);
    let weak = "In L: must- steps, one may step (L3:TTTT –may→ L4:TTTT), then must+ steps lead there.\n";
    // The prelude sets lo to 1, so not every state with lo < hi is a start.
    let assumption = "This assumes that every state of an initial valuation is a start, which is not so here.\n";
    explains(
        &[PARTITION, PREDICATES, "L4:TTTT", "--no-run"],
        &["L4:TTTT of partition: weak\n", weak, assumption, "not run; predicted: L0:TTTT"],
    );
    let optimistic = "In L: it postdominates L0:TTTT, which is reached: every run from there that ends passes it.\n";
    explains(&[PARTITION, PREDICATES, "LC:FFFF", "--no-run"], &["LC:FFFF of partition: optimistic\n", optimistic]);
}

#[test]
fn an_open_state_that_a_run_reaches_is_shown_by_its_test() {
    // The overrun that the paper's example is about: the state is open, and there is a test for it.
    let arguments = [PARTITION, PREDICATES, "L2:FFTF"];
    let shown = json(&arguments);
    assert_eq!(shown["verdict"], "witnessed");
    assert_eq!(shown["test"]["ran"], true);
    assert_eq!(shown["reason"]["kind"], "broken");
    let only_solved = json(&[&arguments[..], &["--no-run"]].concat());
    assert_eq!(only_solved["verdict"], "open");
    assert_eq!(only_solved["test"]["ran"], false);
    let path = strings(&only_solved["test"]["path"]);
    assert_eq!(path.last(), Some(&"L2:FFTF"));
}

#[test]
fn states_behind_pointers_are_explained() {
    let scratch = Scratch::new();
    let file = scratch.file("clamp.c", CLAMP);
    let file = text(&file);
    // That the range is not empty follows from x being in it.
    explains(&[file, "L0:FFF"], &["L0:FFF of clamp: initial\n", "  means     x >= p->low && x <= p->high\n"]);
    // Below the low end and above the high one: only with an empty range.
    let must = json(&[file, "L1:TTT"]);
    assert_eq!(must["verdict"], "must");
    assert_eq!(must["lower_exact"], true);
    // That the range is empty follows from the others.
    assert_eq!(must["meaning"]["c"], "x < p->low && x > p->high");
    let inputs = &must["test"]["inputs"];
    let (low, high) = (inputs["p"][0]["low"].as_i64().unwrap(), inputs["p"][0]["high"].as_i64().unwrap());
    let x = inputs["x"].as_i64().unwrap();
    assert!(high < x && x < low, "{inputs}");
    // No memory has it.
    let contradiction = "Not in U: these conditions contradict one another, so no memory has these values.\n";
    let said = explains(&[file, "L0:FTT"], &["L0:FTT of clamp: unreachable\n", contradiction]);
    assert!(!said.contains("such as"), "{said}");
    // Memory has it, but L3 has just changed it, and L2 goes on to L4 only where it does not hold.
    explains(
        &[file, "L4:FTF"],
        &[
            "L4:FTF of clamp: unreachable\n",
            "Not in U: no may path leads there, so no run comes there.\n",
            "    From L2 no state leads there.\n    From L3 no state leads there.\n",
        ],
    );
    // The way there begins with an empty range, which does not come to L2.
    explains(&[file, "L4:TFT"], &["From L2 it could come only out of L2:TFT: not in U either.\n"]);
}

#[test]
fn where_a_chain_breaks_two_states_of_memory_show_it() {
    let scratch = Scratch::new();
    let file = scratch.file("even.c", EVEN);
    let file = text(&file);
    let open = json(&[file, "L2:T"]);
    assert_eq!(open["verdict"], "open", "{open}");
    assert_eq!(open["searched"], true);
    assert!(open["test"].is_null(), "no run comes there: {open}");
    assert_eq!(open["meaning"]["c"], "p->value == 5");
    assert_eq!(open["model"]["p->value"], "5");
    let breaks = open["reason"]["breaks"].as_array().unwrap();
    // Every state before L1 takes the step, but L1 stands for odd values too, which no state comes to.
    assert_eq!(breaks[0]["step"]["kind"], "must+");
    assert!(breaks[0]["leaves"].is_null());
    assert_eq!(strings(&breaks[1]["lost"]), ["p->value == 5"]);
    assert_eq!(breaks[1]["takes"]["before"]["p->value"], "3");
    assert_eq!(breaks[1]["takes"]["after"]["p->value"], "5");
    let other = breaks[1]["leaves"]["before"]["p->value"].as_str().unwrap();
    assert!(other != "3" && other != "5", "{other}");
    // The other half is open as well, and some run is there.
    assert_eq!(json(&[file, "L2:F"])["verdict"], "witnessed");
    // A tracked predicate decides the first; its value stands behind a stroke.
    let tracked = json(&[file, "L2:T", "--track", "p->value % 2 == 0"]);
    assert_eq!(tracked["verdict"], "unreachable");
    let path = json(&[file, "L2:F", "--track", "p->value % 2 == 0"]);
    assert_eq!(path["reason"]["path"].as_array().unwrap().last().unwrap()["to"], "L2:F/T");
}

#[test]
fn what_is_no_state_is_told_with_what_there_is() {
    let explain = |state: &'static str| ["explain", PARTITION, PREDICATES, state];
    fails(2, &explain("LX:TTTT"), &["there is no point `LX`", "the points are L0 L1 L2"]);
    fails(
        2,
        &explain("L0:TTT"),
        &[
            "`L0:TTT` needs 4 truth values, one for each observed predicate, but has 3",
            "lt: lo < hi",
            "ah: a[hi] > pivot",
        ],
    );
    fails(2, &explain("L0:TTTX"), &["`X` in `L0:TTTX` is no truth value", "le: lo <= hi"]);
    fails(2, &explain("L0"), &["`L0` is no state", "the points are L0 L1", "lt: lo < hi"]);
    fails(2, &explain("L0:TT-T"), &["`al` (a[lo] <= pivot) is observed at L0", "write T or F"]);
    fails(2, &["explain", PARTITION], &["needs a file and a state"]);
    let scratch = Scratch::new();
    let file =
        scratch.file("later.c", "int f(int x) { if (x > 3) { int y = x * 2; if (y > 9) return 1; } return 0; }\n");
    fails(2, &["explain", text(&file), "L1:TT"], &["(y > 9) is not observed at L1", "write - in its place"]);
}
