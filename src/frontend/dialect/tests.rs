//! What is rewritten to what, and that lang-c parses it.

use super::*;

/// The rewritten text, which lang-c must parse.
#[track_caller]
fn rewritten(text: &str, standard: Standard) -> String {
    let rewritten = rewrite(text, standard).unwrap_or_else(|refusal| panic!("{text}: {}", refusal.message));
    let configuration = lang_c::driver::Config { flavor: lang_c::driver::Flavor::GnuC11, ..Default::default() };
    if let Err(error) = lang_c::driver::parse_preprocessed(&configuration, rewritten.text.clone()) {
        panic!("{text} became {}, and the parser stops at {}", rewritten.text, &rewritten.text[error.offset..]);
    }
    rewritten.text
}

/// `text` becomes `expected`, up to white space.
#[track_caller]
fn becomes(standard: Standard, table: &[(&str, &str)]) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (text, expected) in table {
        assert_eq!(words(&rewritten(text, standard)), words(expected), "{text}");
    }
}

#[test]
fn a_missing_type_is_int() {
    becomes(
        Standard::Older,
        &[
            ("main() { return 0; }", "int main() { return 0; }"),
            ("static x;", "static int x;"),
            ("static *p, y = 3;", "static int *p, y = 3;"),
            ("*f(void) { return 0; }", "int *f(void) { return 0; }"),
            ("const n = 3;", "const int n = 3;"),
            ("typedef x; x y;", "typedef int x; x y;"),
            ("extern f(), g();", "extern int f(), g();"),
            ("foo(a, b) int a; { return a; }", "int foo(a, b) int a; { return a; }"),
            ("int f(a) register a; { return 0; }", "int f(a) register int a; { return 0; }"),
            ("int f(register x, const y);", "int f(register int x, const int y);"),
            ("void f(void) { register i; auto j = 1; }", "void f(void) { register int i; auto int j = 1; }"),
            ("int f(x) { return ({ static y; y; }); }", "int f(x) { return ({ static int y; y; }); }"),
        ],
    );
}

#[test]
fn what_has_a_type_stays_as_it_is() {
    for text in [
        "typedef int T; static T x; T f(T a); const T y; T g(T a) { T b = a; return (T)b; }",
        "int f(a, b) char *a; struct s { int x; } b; { return 0; }",
        "int (*fp)(); int (*g())() { return 0; } int f(x) int (*x)(); { return 0; }",
        "static struct { int a : 3, : 0; } x; enum e { A, B = 3 } y; unsigned z; typeof(x) w;",
        "int f(), g(); struct S; union U *u; int a[0]; struct E {}; int b[2] = {};",
        "void f(int y) { switch (y) { case 1 ... 3: break; case 4: case 5: ; default: { } } }",
        "void f(int x) { for (int i = 0, j = 1; i < j; i++) if (x) ; else do x--; while (x); }",
        "int x = 1 ? 2 : 3; int y[] = { [0] = 1, [1 ... 2] = 2, }; struct { int a; } s = { .a = 1 }, t = { a: 2 };",
        "extern int f(int) __asm__(\"g\"); void g(int x) { __asm__ __volatile__(\"n\" : \"=r\"(x) : \"r\"(3) : \"cc\"); }",
        "typedef int T; void f(void) { T: ; goto T; } int g(void) { int T = 3; return (T) + 1; }",
        "_Float128 a; _Float64x b; double c = 0x1.8p3, d = 1.0f16, e = 3.0i; _Complex double z; int g = 0b101;",
        "char *__restrict p; __signed__ char c; static __inline int f(void) { return _Alignof(int); } _Thread_local int t;",
        "const char *f(void) { return __func__; } void *a = L\"x\", *b = u8\"y\" \"z\"; int c = L'x' + sizeof(int[3]);",
        "int f(__builtin_va_list a) { return __builtin_va_arg(a, int) + __builtin_offsetof(struct S, c.b[2]); }",
        "int x = _Generic(1, int: 3, default: 4); _Static_assert(1, \"\"); int f(int n, int a[static n], int b[*]);",
    ] {
        assert_eq!(rewritten(text, Standard::Older), text);
    }
}

#[test]
fn extensions_of_gnu_become_c11() {
    becomes(
        Standard::Older,
        &[
            ("int f(int a) { return a ?: 3; }", "int f(int a) { return a ? __pct_same : 3; }"),
            (
                "int f(int a) { return a ?: a ? 1 : 2 ?: 3; }",
                "int f(int a) { return a ? __pct_same : a ? 1 : 2 ? __pct_same : 3; }",
            ),
            ("void f(void) { __auto_type x = (3); }", "void f(void) { __typeof__((0, ((3)))) x = (3); }"),
            (
                "int x; __thread int y; static __thread int z;",
                "int x; _Thread_local int y; static _Thread_local int z;",
            ),
            ("int y = __extension__ (3); __extension__ typedef long T;", "int y = (3); typedef long T;"),
            ("__float128 x = 1.0q;", "_Float128 x = 1.0F128;"),
            (
                "int x = __builtin_types_compatible_p(int, char *);",
                "int x = _Generic((__typeof__(int)*)0, __typeof__( char *)*: 1, default: 0);",
            ),
            (
                "_Static_assert(1 == 1); struct s { int a; _Static_assert(f(1, 2)); };",
                "_Static_assert(1 == 1, \"\"); struct s { int a; _Static_assert(f(1, 2), \"\"); };",
            ),
            ("struct s { int a; }; int x = f((struct s) {});", "struct s { int a; }; int x = f((struct s) {0});"),
            ("int f(int n; int a[n], int n); int g(...);", "int f( int a[n], int n); int g();"),
            ("; int x;; asm(\"nop\"); int y; __asm__ volatile (\"x\");", "int x; int y;"),
            ("void f(void) { asm volatile inline(\"\"); }", "void f(void) { asm volatile (\"\"); }"),
            ("_Pragma(\"once\") int x;", "int x;"),
            ("int a<:2:> = <% 1 %>;", "int a[2] = { 1 };"),
            ("int \u{e4}h, a$b, d\\u00e4;", "int _u00e4_h, a_u0024_b, d_u00e4_;"),
        ],
    );
    let wide = rewritten("unsigned __int128 x; __int128 y; __uint128_t z = (__int128_t)y;", Standard::Older);
    let expected = " __pct_uint128 x; __pct_int128 y; __pct_uint128 z = (__pct_int128)y;";
    let (prelude, rest) = wide.split_at(wide.len() - expected.len());
    assert_eq!(rest, expected);
    assert_eq!(prelude.matches("typedef struct").count(), 2);
}

#[test]
fn labels_stand_before_statements() {
    becomes(
        Standard::Older,
        &[
            ("void f(void) { L: int x = 3; }", "void f(void) { L:; int x = 3; }"),
            ("void f(void) { L: }", "void f(void) { L:; }"),
            (
                "void f(int y) { switch (y) { case 1 ? 2 : 3: int x; default: } }",
                "void f(int y) { switch (y) { case 1 ? 2 : 3:; int x; default:; } }",
            ),
            ("void f(void) { L: __attribute__((unused)) M: ; }", "void f(void) { L: M: ; }"),
        ],
    );
}

#[test]
fn attributes_that_mean_nothing_here_go_and_the_others_stay_where_lang_c_reads_them() {
    becomes(
        Standard::Older,
        &[
            (
                "int f(int x __attribute__((unused)), [[maybe_unused]] int y) __attribute__ ( ( pure ) );",
                "int f(int x , int y) ;",
            ),
            (
                "void f(int x) { switch (x) { case 1: x = 2; __attribute__((fallthrough)); default: ; } }",
                "void f(int x) { switch (x) { case 1: x = 2; ; default: ; } }",
            ),
            (
                "void f(void) __attribute__((__noreturn__, format(printf, 1, 2), aligned(16)));",
                "void f(void) __attribute__((noreturn, aligned(16))) ;",
            ),
            (
                "[[noreturn]] void f(void); [[gnu::format(noreturn)]] void g(void);",
                "__attribute__((noreturn)) void f(void); void g(void);",
            ),
            // lang-c takes this for a function called S.
            (
                "struct __attribute__((packed)) S { int a; } x; struct __attribute__((packed)) S y;",
                "struct S { int a; } __attribute__((packed)) x; struct S y;",
            ),
            ("enum [[gnu::packed]] E { A [[deprecated]] = 1 };", "enum E { A = 1 } __attribute__((packed)) ;"),
            ("int x [[deprecated]], a[3]; int y = a[f()[a]];", "int x , a[3]; int y = a[f()[a]];"),
        ],
    );
    let packed = "#pragma pack(push, 1)\nstruct A { int a; };\n#pragma pack(pop)\nstruct B { int a; };\n";
    let expected = "struct A { int a; } __attribute__((__pct_pack(1))); struct B { int a; };";
    becomes(Standard::Older, &[(packed, expected)]);
}

#[test]
fn c23_becomes_c11_and_its_words_are_names_before() {
    becomes(
        Standard::C23,
        &[
            (
                "bool x = true; int *p = nullptr; static_assert(1);",
                "_Bool x = ((_Bool)1); int *p = ((void *)0); _Static_assert(1, \"\");",
            ),
            (
                "alignas(8) int x; thread_local int y; typeof_unqual(x) z;",
                "_Alignas(8) int x; _Thread_local int y; __typeof__(x) z;",
            ),
            (
                "constexpr int x = 1'000; void f(void) { constexpr int y = 2; }",
                "static const int x = 1000; void f(void) { const int y = 2; }",
            ),
            (
                "void f(int a) { auto x = a + 1; auto int y; }",
                "void f(int a) { __typeof__((0, (a + 1))) x = a + 1; auto int y; }",
            ),
            ("enum E : unsigned char { A, B, } e;", "enum E { A, B, __pct_underlying = sizeof(unsigned char)} e;"),
            (
                "enum E : bool; enum F : long { C };",
                "enum E { __pct_underlying = sizeof(_Bool) }; enum F { C , __pct_underlying = sizeof(long)};",
            ),
        ],
    );
    let older = "typedef int bool; enum { false, true }; bool nullptr, constexpr = true; int alignas(int);";
    becomes(Standard::Older, &[(older, older)]);
}

#[test]
fn a_parameter_that_hides_a_type_is_no_cast() {
    becomes(
        Standard::Older,
        &[
            (
                "typedef int T; int f(int T, int x) { T * x; return (T) + x + sizeof(T) + s.T; } T y;",
                "typedef int T; int f(int T, int x) { ((T)) * x; return (((T))) + x + sizeof(((T))) + s.T; } T y;",
            ),
            (
                "typedef int T; int f(int T) { { typedef char T; T x; } }",
                "typedef int T; int f(int T) { { typedef char T; T x; } }",
            ),
        ],
    );
}

#[test]
fn what_pct_cannot_handle_is_marked_where_it_stands() {
    for (text, what) in [
        ("int f(void) { int g(int x) { return x; } return g(3); }", "a nested function"),
        ("void f(void *p) { goto *p; }", "a computed goto"),
        ("void f(int x) { asm goto(\"\" : : \"r\"(x) : : L); L: ; }", "inline assembly that jumps"),
        ("void *f(int x) { if (x && x) L: ; return &&L; }", "the address of a label"),
        ("void *f(void) { L: return (void *)&&L; }", "the address of a label"),
        ("int x; int f(void) { return __alignof__(x); }", "the alignment of an expression"),
    ] {
        let rewritten = rewritten(text, Standard::Older);
        assert_eq!(rewritten.matches(&format!("__asm__(\"pct: {what}\");")).count(), 1, "{rewritten}");
    }
}

#[test]
fn the_body_of_a_function_that_cannot_be_parsed_is_taken_out() {
    let text = "int a[] = {1};\nint f(int x)\n{\n  if (x { @ } return \"}\"; // }\n}\nint g(void) { return 1; }\n";
    let place = text.find('@').unwrap();
    let without = without_body(text, place, 3).unwrap();
    assert_eq!(without.len(), text.len());
    let lines: Vec<&str> = without.lines().map(str::trim_end).collect();
    let expected = ["int a[] = {1};", "int f(int x)", "{__asm__(\"@3\");", "", "}", "int g(void) { return 1; }"];
    assert_eq!(lines.concat().replace(' ', ""), expected.concat().replace(' ', ""));
    // It is not taken out twice, and what is outside of functions stays.
    assert_eq!(without_body(&without, place, 4), None);
    for place in [0, text.find('1').unwrap(), text.find("int g").unwrap(), text.len()] {
        assert_eq!(without_body(text, place, 0), None, "{place}");
    }
    assert_eq!(without_body("struct s { int a; @ int b; int c; int d; };", 18, 0), None);
    assert_eq!(without_body("int f(int x) { @ } } int g(void) { return 1; }", 40, 0), None);
}

#[test]
fn what_cannot_be_rewritten_is_refused_at_its_place() {
    let deep = format!("int x = {}1{};", "(".repeat(300), ")".repeat(300));
    let signs = format!("int x = {}1;", "--".repeat(60));
    let long = format!("int x = {}1;", "- ".repeat(LONGEST_CHAIN));
    for (text, place, words) in [
        ("foo_t x;", "foo_t", "neither declared as a type"),
        ("static foo_t *x;", "foo_t", "neither declared as a type"),
        ("void f(void) { foo_t x; }", "foo_t", "neither declared as a type"),
        ("API int f(void);", "API", "neither declared as a type"),
        ("_BitInt(3) x;", "_BitInt", "_BitInt"),
        ("int x = 3uwb;", "3uwb", "_BitInt"),
        ("double f(_Complex double z) { return __imag__ z; }", "__imag__", "complex"),
        ("void f(void) { __auto_type x = 1, y = 2; }", "__auto_type", "several variables"),
        (&deep, "(", "more than 256 deep"),
        (&long, "-", "too long"),
        (&signs, "--", "too long"),
    ] {
        let refusal = rewrite(text, Standard::Older).expect_err(place);
        assert_eq!(&text[refusal.start..refusal.end], place);
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert!(!refusal.help.is_empty());
    }
}

#[test]
fn places_of_the_rewritten_text_are_known() {
    let text = "static x; /* c */ int y = a ?: bc;\n# 3 \"f.c\"\nint z = R\"(q)\";\n";
    let rewritten = rewrite(text, Standard::Older).unwrap();
    for (new, old) in
        [("x", "x"), ("y", "y"), ("a ", "a "), ("bc", "bc"), ("z", "z"), ("\"q\"", "R\"(q)\""), ("__pct_same", "")]
    {
        let start = rewritten.text.find(new).unwrap();
        let (from, to) = rewritten.origins.original(start, start + new.len());
        assert_eq!(&text[from..to], old, "{new}");
    }
}

#[test]
fn any_text_is_rewritten_without_a_panic() {
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "=",
        "?",
        ":",
        "*",
        "&&",
        "x",
        "T",
        "3",
        "\"s\"",
        "'c",
        "int",
        "typedef",
        "struct",
        "enum",
        "static",
        "auto",
        "case",
        "goto",
        "for",
        "asm",
        "sizeof",
        "_Static_assert",
        "__attribute__",
        "__auto_type",
        "__builtin_types_compatible_p",
        "__alignof__",
        "...",
        "\n",
        "\\",
        "/*",
        "#",
        "typeof",
        "\u{e4}",
    ];
    // A linear congruential generator: every run tries the same texts.
    let mut state = 1_u64;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..20 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            text.push(' ');
        }
        for standard in [Standard::Older, Standard::C23] {
            if let Ok(rewritten) = rewrite(&text, standard) {
                for offset in 0..=rewritten.text.len() {
                    let (from, to) = rewritten.origins.original(offset, offset + 1);
                    assert!(from <= to && to <= text.len() + 1, "{text}");
                }
            }
        }
    }
}
